"""Search: what each probe says, folded, in a form that is found quickly (questionbank/models/search.py).

The extension is a trusted one: the owner of the database may create it, no superuser is needed.
"""

from __future__ import annotations

import django.contrib.postgres.fields
import django.contrib.postgres.functions
import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import questionbank.enums
from django.conf import settings
from django.db import migrations, models

EXTENSION = "CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public"

# What a text becomes before it is compared; questionbank.folding.folded is its twin. Grams: see ProbeText; class 2 are
# letters of scripts that write without spaces (Han, kana, Hangul), class 1 letters and digits of all others.
FUNCTIONS = """
CREATE FUNCTION questionbank_folded(p_text text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT replace(lower(normalize(p_text, NFKC)), 'ß', 'ss')
$$;

CREATE FUNCTION questionbank_grams(p_words text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp AS $$
    WITH letters AS (
        SELECT letter, place, CASE
            WHEN code BETWEEN 12353 AND 40959 OR code BETWEEN 44032 AND 55215 OR code BETWEEN 63744 AND 64255
                OR code BETWEEN 131072 AND 262143 THEN 2
            WHEN code BETWEEN 48 AND 57 OR code BETWEEN 97 AND 122
                OR (code BETWEEN 192 AND 8191 AND code NOT IN (215, 247)) THEN 1
            ELSE 0 END AS class
        FROM unnest(string_to_array(p_words, NULL)) WITH ORDINALITY AS one (letter, place),
            LATERAL (SELECT ascii(letter) AS code) AS coded
    ), beside AS (
        SELECT letter, class, lead(letter) OVER w AS next_letter, coalesce(lead(class) OVER w, 0) AS next_class,
            coalesce(lag(class) OVER w, 0) AS class_before
        FROM letters WINDOW w AS (ORDER BY place)
    ), grams AS (
        SELECT letter AS gram FROM beside WHERE class = 2 OR (class = 1 AND class_before <> 1)
        UNION
        SELECT letter || next_letter FROM beside
        WHERE class > 0 AND next_class > 0 AND (class = 2 OR next_class = 2 OR class_before <> 1)
    )
    SELECT coalesce(array_agg(gram ORDER BY gram COLLATE "C"), '{}') FROM grams
$$;
"""

NO_FUNCTIONS = """
DROP FUNCTION questionbank_grams(text);
DROP FUNCTION questionbank_folded(text);
"""


class Migration(migrations.Migration):

    dependencies = [
        ('questionbank', '0008_suggestions'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(EXTENSION, migrations.RunSQL.noop),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        migrations.AddField(
            model_name='tree',
            name='owner',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='NearPair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), editable=False, unique=True)),
                ('key', models.SlugField(max_length=80)),
                ('other_key', models.SlugField(max_length=80)),
                ('language', models.CharField(max_length=40)),
                ('similarity', models.FloatField()),
                ('verdict', models.CharField(choices=[('open', 'OPEN'), ('different', 'DIFFERENT')], default=questionbank.enums.PairVerdict['OPEN'], max_length=24)),
                ('judged_at', models.DateTimeField(null=True)),
                ('judged_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('other_tree', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='questionbank.tree')),
                ('tree', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='questionbank.tree')),
            ],
            options={
                'ordering': ['-similarity', 'id'],
                'constraints': [models.UniqueConstraint(fields=('tree', 'key', 'other_tree', 'other_key'), name='nearpair_once'), models.CheckConstraint(condition=models.Q(('similarity__gte', 0), ('similarity__lte', 1)), name='nearpair_similarity'), models.CheckConstraint(condition=models.Q(('verdict__in', ['open', 'different'])), name='nearpair_verdict_known')],
            },
        ),
        migrations.CreateModel(
            name='ProbeText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('language', models.CharField(max_length=40)),
                ('prompt', models.TextField()),
                ('words', models.TextField()),
                ('grams', models.GeneratedField(db_persist=True, expression=models.Func(models.F('words'), function='questionbank_grams'), output_field=django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None))),
                ('compared_at', models.DateTimeField(null=True)),
                ('probe', models.ForeignKey(on_delete=django.db.models.deletion.DO_NOTHING, related_name='texts', to='questionbank.probe')),
            ],
            options={
                'indexes': [django.contrib.postgres.indexes.GinIndex(gin_pending_list_limit=256, fields=['grams'], name='probetext_grams'), django.contrib.postgres.indexes.GinIndex(gin_pending_list_limit=256, fields=['words'], name='probetext_words', opclasses=['gin_trgm_ops']), django.contrib.postgres.indexes.GinIndex(gin_pending_list_limit=256, fields=['prompt'], name='probetext_prompt', opclasses=['gin_trgm_ops']), models.Index(fields=['language'], name='probetext_language'), models.Index(condition=models.Q(('compared_at__isnull', True)), fields=['id'], name='probetext_not_compared')],
                'constraints': [models.UniqueConstraint(fields=('probe', 'language'), name='probetext_once')],
            },
        ),
        migrations.CreateModel(
            name='Redirect',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.UUIDField(db_default=django.contrib.postgres.functions.RandomUUID(), editable=False, unique=True)),
                ('key', models.SlugField(max_length=80, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(-[a-z0-9]+)*$')])),
                ('to_key', models.SlugField(max_length=80, validators=[django.core.validators.RegexValidator('^[a-z0-9]+(-[a-z0-9]+)*$')])),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('reason', models.TextField(blank=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('to_tree', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='questionbank.tree')),
                ('tree', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='redirects', to='questionbank.tree')),
            ],
            options={
                'ordering': ['-at', '-id'],
                'constraints': [models.UniqueConstraint(fields=('tree', 'key'), name='redirect_once'), models.CheckConstraint(condition=models.Q(('key', models.F('to_key')), ('tree', models.F('to_tree')), _negated=True), name='redirect_not_to_itself')],
            },
        ),
    ]

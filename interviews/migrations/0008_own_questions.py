"""Questions of the lead's own, and what an interview changes of its trees for itself."""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('interviews', '0007_append_says_when'),
    ]

    operations = [
        migrations.AddField(
            model_name='adhocprobe',
            name='language',
            field=models.CharField(blank=True, help_text='the tag of the language it is asked in', max_length=16),
        ),
        migrations.AddField(
            model_name='adhocprobe',
            name='planned',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='adhocprobe',
            name='under',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='interviews.adhocprobe'),
        ),
        migrations.AddField(
            model_name='interview',
            name='has_own',
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name='TreeEdit',
            fields=[
                ('id', models.UUIDField(help_text="the command's", primary_key=True, serialize=False)),
                ('seq', models.PositiveBigIntegerField(help_text="the panel stream's")),
                ('op', models.CharField(choices=[('text', 'TEXT'), ('add', 'ADD'), ('move', 'MOVE')], max_length=24)),
                ('probe', models.CharField(max_length=200)),
                ('parent', models.CharField(blank=True, help_text='of a move: whose follow-up it is from now on', max_length=200)),
                ('after', models.CharField(blank=True, help_text='of a move: the sibling before it, none = first', max_length=200)),
                ('language', models.CharField(blank=True, max_length=16)),
                ('suggested', models.BooleanField(default=False)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='interviews.seat')),
                ('interview', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tree_edits', to='interviews.interview')),
                ('own', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='added_by', to='interviews.adhocprobe')),
                ('text', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='interviews.text')),
            ],
            options={
                'ordering': ['interview_id', 'seq'],
                'constraints': [models.CheckConstraint(condition=models.Q(('op__in', ['text', 'add', 'move'])), name='tree_edit_op_known'), models.CheckConstraint(condition=models.Q(models.Q(('op', 'text'), ('own__isnull', True), ('text__isnull', False)), models.Q(('op', 'add'), ('own__isnull', False), ('text__isnull', True)), models.Q(('op', 'move'), ('own__isnull', True), ('text__isnull', True)), _connector='OR'), name='tree_edit_has_what_it_needs')],
            },
        ),
    ]

"""How the project draws forms: every `{{ form }}` and every field group comes from templates/components/."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class FormRenderer(TemplatesSetting):
    """Reads templates from the project, so that forms are drawn in the product's own frame."""

    form_template_name = "components/form.html"
    field_template_name = "components/field.html"

"""Who uses Sounding. The person row is their identity row: erasing a person blanks it and keeps the id."""

from __future__ import annotations

import uuid
import zoneinfo
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from people.enums import PersonRole, Theme
from people.fields import enum_array, enum_field, one_of


def validate_time_zone(name: str) -> None:
    if name not in zoneinfo.available_timezones():
        raise ValidationError(
            _("%(name)s is no time zone we know. Write it like Europe/Berlin."), params={"name": name}
        )


class PersonManager(BaseUserManager["Person"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Person:
        person = self.model(email=self.normalize_email(email).lower(), **fields)
        person.set_password(password)
        person.full_clean(exclude=["password"])
        person.save(using=self._db)
        return person

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> Person:
        """Create an administrator. There is no Django superuser: nobody stands above the seal."""
        fields.setdefault("roles", [PersonRole.ADMINISTRATOR])
        return self.create_user(email, password, **fields)

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(email__iexact=username)


class Person(AbstractBaseUser, PermissionsMixin):
    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField(_("e-mail"), max_length=254)
    name = models.CharField(_("name"), max_length=120)
    roles = enum_array(PersonRole, default=list, blank=True)
    language = models.CharField(_("language"), max_length=16, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    theme = enum_field(Theme, default=Theme.AUTO)
    keys = models.JSONField(default=dict, blank=True, help_text="Remapped keys of the live room; {} = defaults.")
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=timezone.now, editable=False)

    objects: ClassVar[PersonManager] = PersonManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.UniqueConstraint(Lower("email"), name="person_email_once"),
            one_of("theme", Theme, table="person"),
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def has_role(self, *roles: PersonRole) -> bool:
        return any(role.value in self.roles for role in roles)

    @property
    def is_administrator(self) -> bool:
        return PersonRole.ADMINISTRATOR.value in self.roles

    @property
    def is_manager(self) -> bool:
        return PersonRole.MANAGER.value in self.roles

    @property
    def is_curator(self) -> bool:
        return PersonRole.CURATOR.value in self.roles

    @property
    def is_interviewer(self) -> bool:
        return PersonRole.INTERVIEWER.value in self.roles

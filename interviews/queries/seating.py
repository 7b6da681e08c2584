"""Who can be given a seat, and which."""

from __future__ import annotations

from django.db.models import Q

from interviews.enums import Role
from people.enums import PersonRole
from people.models import Person

# A seat that judges or asks takes an interviewer; listening is also for observers and managers.
SEATABLE: dict[Role, tuple[PersonRole, ...]] = {
    Role.LEAD: (PersonRole.INTERVIEWER,),
    Role.INTERVIEWER: (PersonRole.INTERVIEWER,),
    Role.SHADOW: (PersonRole.INTERVIEWER,),
    Role.OBSERVER: (PersonRole.OBSERVER, PersonRole.INTERVIEWER, PersonRole.MANAGER),
}


def may_sit(person: Person, role: Role) -> bool:
    return person.is_active and person.has_role(*SEATABLE[role])


def seatable_people() -> list[Person]:
    """Everyone who can be given some seat, by name. Filter by may_sit."""
    anyone = Q()
    for role in {role for roles in SEATABLE.values() for role in roles}:
        anyone |= Q(roles__contains=[role])
    return list(Person.objects.filter(anyone, is_active=True).order_by("name", "pk"))

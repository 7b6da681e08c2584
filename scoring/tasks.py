"""Celery's way into scoring."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from people.jobs import claimed
from scoring.services.blind_marking import compare_again
from scoring.services.calibration import calibrate_closed
from scoring.services.figures import write_figures
from scoring.services.interviewer_figures import write_interviewer_figures
from scoring.services.letters import deliver_letter
from scoring.services.marking_requests import send_request
from scoring.services.panels import ask_for_outdated, ask_for_panels_under, compile_application
from scoring.services.reminders import find_due
from scoring.services.reminders import send_reminder as send_one
from scoring.services.second_marking import draw_second_markings


@shared_task(name="scoring.compile_panel")
def compile_panel(job: str) -> None:
    """Compile the panel card of the application named in the job (people.jobs)."""
    with claimed(job) as ids:
        if ids is not None:
            compile_application(int(ids["application"]))


@shared_task(name="scoring.compile_after_plan")
def compile_after_plan(job: str) -> None:
    """Have the panel cards compiled that the plan, or the position, named in the job stands under."""
    with claimed(job) as ids:
        if ids is not None:
            ask_for_panels_under(**{name: int(pk) for name, pk in ids.items()})


@shared_task(name="scoring.refresh_panels", expires=240)
def refresh_panels() -> None:
    """Have panel cards of older code compiled anew, after an upgrade."""
    ask_for_outdated()


@shared_task(name="scoring.find_reminders", expires=240)
def find_reminders() -> None:
    """Find cards that are owed and of which their authors are to be reminded."""
    find_due()


@shared_task(name="scoring.send_reminder")
def send_reminder(job: str) -> None:
    """Send the reminder named in the job (people.jobs)."""
    with claimed(job) as ids:
        if ids is not None:
            send_one(int(ids["reminder"]))


@shared_task(name="scoring.send_request")
def send_marking_request(job: str) -> None:
    """Send the request for a second marking named in the job."""
    with claimed(job) as ids:
        if ids is not None:
            send_request(int(ids["marking"]))


@shared_task(name="scoring.send_letter")
def send_letter(job: str) -> None:
    """Send the letter named in the job by e-mail."""
    with claimed(job) as ids:
        if ids is not None:
            deliver_letter(int(ids["letter"]))


@shared_task(name="scoring.write_figures", expires=3600)
def write_figures_tonight() -> None:
    """Take what closed applications say into the figures of probes and interviewers. A missed night is made up for."""
    today = timezone.now().date()
    write_figures(today)
    write_interviewer_figures(today)


@shared_task(name="scoring.calibrate", expires=3600)
def calibrate_tonight() -> None:
    """Calibrate what closed applications say, after the figures are written: a night that is missed is made up for."""
    calibrate_closed()


@shared_task(name="scoring.draw_markings", expires=3600)
def draw_markings_tonight() -> None:
    """Ask for second markings, and compare those that are in with panels that have moved since."""
    draw_second_markings()
    compare_again()

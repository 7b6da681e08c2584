"""What the panel wrote to each other in a room where the position lets them chat. Never a judgement's place."""

from __future__ import annotations

from django.db import models


class ChatLine(models.Model):
    """One line. The id is the id of the command that posted it; its words are a text row, so they can be erased."""

    id = models.UUIDField(primary_key=True)
    interview = models.ForeignKey("interviews.Interview", on_delete=models.CASCADE, related_name="+")
    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveBigIntegerField(help_text="the panel stream's")
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["interview_id", "seq"]
        constraints = [models.UniqueConstraint(fields=["interview", "seq"], name="chat_seq_once")]

    def __str__(self) -> str:
        return f"line {self.id}"

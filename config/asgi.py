"""The ASGI application: Django for HTTP, the rooms' sockets beside it."""

from __future__ import annotations

import gc
import os
import sys
import warnings

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.template import engines

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# WhiteNoise hands static files over as plain iterators. They are small and read on a thread; the log needn't say so.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns about a folder that isn't there yet
django_application = get_asgi_application()
engines.all()  # finds every template tag there is: a fifth of a second that the first frame need not wait for
# Frames are drawn on threads beside the loop; a thread that is at it gives way after a millisecond, not after five.
sys.setswitchinterval(0.001)

# After Django is set up: these modules import models. Our Celery application among them, or the jobs that a page asks
# for would be sent to Celery's default broker: seconds of waiting for nobody.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

import config.celery  # noqa: E402, F401
from interviews.live.routing import come_again, websocket_urlpatterns  # noqa: E402

# What is loaded by now stays as long as the process. The collector would look through all of it again and again, and
# stop every room for a tenth of a second; what comes from now on it looks through less often, too.
gc.collect()
gc.freeze()
gc.set_threshold(10_000, 20, 20)

application = ProtocolTypeRouter(
    {
        "http": django_application,
        "websocket": come_again(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)

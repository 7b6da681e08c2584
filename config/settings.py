"""Settings, read from the environment (see docs/configuration.md). Importing this module starts nothing."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from config import env
from config.static_digest import digest

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(env.text("VAR", str(BASE_DIR / "var"))).resolve()

DEBUG = env.boolean("DEBUG", default=False)
PORT = env.integer("PORT", default=8000)
SITE_URL = env.text("SITE_URL", f"http://127.0.0.1:{PORT}").rstrip("/")
# The key that signs sessions. `make demo` writes one to VAR; a production install sets SECRET_KEY or SECRET_KEY_FILE.
SECRET_KEY = env.text("SECRET_KEY") or (
    (VAR / "secret-key").read_text(encoding="utf-8").strip()
    if (VAR / "secret-key").is_file()
    else "not-secret-" + "0" * 50
)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", default=f"{urlsplit(SITE_URL).hostname},127.0.0.1,localhost")
CSRF_TRUSTED_ORIGINS = [SITE_URL]
HTTPS = SITE_URL.startswith("https://")

# The addresses of the servers. manage.py fills them in from the embedded servers before this module is read.
DATABASE_URL = env.text("DATABASE_URL", "postgresql://sounding@127.0.0.1:1/sounding")
DATABASE_OWNER_URL = env.text("DATABASE_OWNER_URL", DATABASE_URL)
REDIS_URL = env.text("REDIS_URL", "redis://127.0.0.1:1/0")
BROKER_URL = env.text("BROKER_URL", REDIS_URL)
# True in commands that change the schema or erase: they connect as the owner of the tables.
AS_OWNER = env.boolean("AS_OWNER", default=False)

DATABASES = {"default": env.database(DATABASE_OWNER_URL if AS_OWNER else DATABASE_URL)}
if env.boolean("DATABASE_POOL", default=False):
    # Sockets and views share a process, and CONN_MAX_AGE must be 0 there: a pool keeps the connections.
    # The pool looks at a connection before it hands it out; and it gives up a failed try soon, to start anew with the
    # next request, since its own pauses between tries grow past the end of an outage.
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    DATABASES["default"]["OPTIONS"] = {
        **DATABASES["default"]["OPTIONS"],  # type: ignore[dict-item]
        "pool": {
            "min_size": 2,
            "max_size": env.integer("DATABASE_POOL_SIZE", default=16),
            "timeout": 5,
            "reconnect_timeout": 2,
        },
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "people",
    "questionbank",
    "interviews",
    "scoring",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "channels",
    "csp",
    "django_htmx",
    "template_partials",
    "django_linear_migrations",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "config.static_files.CompressStatic",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "people.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "people.middleware.PersonMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "people.middleware.SentOnlyMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "people.context.base",
            ],
        },
    }
]
FORM_RENDERER = "config.forms.FormRenderer"

AUTH_USER_MODEL = "people.Person"
SILENCED_SYSTEM_CHECKS = [
    "auth.W004",  # e-mails are unique without regard to case: person_email_once
    "security.W008",  # the proxy in front redirects to https
]
AUTHENTICATION_BACKENDS = ["people.backends.PersonBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
ACCOUNT_ADAPTER = "people.accounts.AccountAdapter"
ACCOUNT_FORMS = {"login": "people.sign_in.SignInForm", "reset_password": "people.sign_in.ForgottenForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_SESSION_REMEMBER = True
# A whole company signs in from one address at nine o'clock. Guessing is held by the limit on failed tries, which stays.
ACCOUNT_RATE_LIMITS = {"login": "300/m/ip"}
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"

SESSION_ENGINE = "people.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_SSL_REDIRECT = False  # the proxy in front does this
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LANGUAGE_CODE = "en"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATICFILES_DIRS = [BASE_DIR / "static"]
# One address per content: pages and the service worker may keep what they loaded, and never mix two releases.
STATIC_URL = f"/static/{digest(STATICFILES_DIRS, version('django-htmx'))}/"
STATIC_ROOT = VAR / "static"
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR / "files", "base_url": None},
    },
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
# While somebody edits them, files change under an address that stays until the next start.
WHITENOISE_MAX_AGE = 0 if DEBUG else 31_536_000
FILE_UPLOAD_PERMISSIONS = 0o600
DATA_UPLOAD_MAX_MEMORY_SIZE = 12 * 1024 * 1024
# More than any of our forms takes: the form says so in words, Django would answer a bare 400.
DATA_UPLOAD_MAX_NUMBER_FILES = 200
# The largest file that the question bank reads; our own format has a smaller limit of its own.
BANK_FILE_BYTES = env.integer("BANK_FILE_BYTES", default=10 * 1024 * 1024)

EMAIL_BACKEND = env.text("EMAIL_BACKEND", "django.core.mail.backends.console.EmailBackend")
if EMAIL_URL := env.text("EMAIL_URL"):
    globals().update(env.mail(EMAIL_URL))
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Sounding <sounding@localhost>")

# The password of the demo people, known to this machine only; `manage.py demo` and `manage.py simulate` read it.
DEMO_PASSWORD = env.text("DEMO_PASSWORD")

# Numbers for Prometheus at /metrics: with a token for whoever brings it, else for this machine alone. Off by default.
METRICS_TOKEN = env.text("METRICS_TOKEN")
METRICS = env.boolean("METRICS", default=bool(METRICS_TOKEN))

LOG_FORMAT = env.text("LOG_FORMAT", "plain")
if LOG_FORMAT not in {"plain", "json"}:
    raise env.BadEnvironment(f"LOG_FORMAT={LOG_FORMAT!r} is not known: set it to plain or json.")
LOG_LEVEL = env.text("LOG_LEVEL", "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "hide_secrets": {"()": "config.logs.HideSecrets"},
        "no_words_for_noise": {"()": "config.logs.NoWordsForNoise"},
    },
    "formatters": {
        "plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "config.logs.JsonLines"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["hide_secrets"]},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "sounding": {"level": LOG_LEVEL},
        # A line for each command of each room: for machines; in plain logs only what was refused.
        "sounding.commands": {"level": "DEBUG" if LOG_FORMAT == "json" else LOG_LEVEL},
        "uvicorn.error": {"filters": ["no_words_for_noise"]},
        # Takes away the handler that Django gives it in debug: it hides no secrets, and tells all a second time.
        "django": {"handlers": [], "level": "WARNING"},
    },
}

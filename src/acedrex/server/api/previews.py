"""What other sites learn of a link to a page of the app: title, sentence and picture, and oEmbed."""

from __future__ import annotations

import html
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote, urlsplit

import msgspec
import structlog
from fastapi import APIRouter, Query, Request, Response

from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.pages import PRIVATE, PRIVATE_HEAD, Head
from acedrex.server.api.subjects import Subject, subject_of
from acedrex.server.games import link_pictures
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services, services_of

log = structlog.get_logger()

router = APIRouter(include_in_schema=False)

#: Any site may read these answers: they are the same for everyone, and nobody's token is looked at.
PUBLIC = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
#: The pages that have one: the beginnings of their paths.
KINDS = {"analysis", "daily", "learn", "match", "puzzles", "study"}
#: The width of a board on another page, and the height of what is around it.
WIDTH, AROUND = 480, 150
#: The most characters of an address; an analysis is written in its own.
MAX_URL = 16_000


def base_url(request: Request) -> str:
    """Return the URL of the server, as other sites reach it, without a slash at the end."""
    host = request.url.netloc
    origins = services_of(request).settings.origins
    origin = next((one for one in origins if urlsplit(one).netloc == host), f"{request.url.scheme}://{host}")
    root: str = request.scope.get("root_path", "")
    return f"{origin.rstrip('/')}{root}"


async def head(request: Request, path: str) -> Head:
    """Return the head of a page of the app, with its Open Graph tags if it has any.

    The page is served whatever happens here. One of a match or a study is private until it is known to be public.
    """
    services = services_of(request)
    nothing = PRIVATE_HEAD if path.startswith(("match/", "study/")) else Head()
    # It costs a look into the database.
    if path.partition("/")[0] not in KINDS or not services.budgets.take(visitor(request), "work", 0.5):
        return nothing
    try:
        subject = await subject_of(services, path, request.url.query)
    except Refusal:
        return nothing
    except Exception as error:
        log.warning("no_preview", page=path.partition("/")[0], error=type(error).__name__)
        return nothing
    if subject is None:
        return nothing
    base = base_url(request)
    of = _quoted(f"/{subject.path}")
    tags = {
        "og:site_name": "Acedrex",
        "og:type": "website",
        "og:title": subject.title,
        "og:description": subject.description,
        "og:url": f"{base}/{subject.path}",
        "twitter:card": "summary",
    }
    if subject.game is not None:
        tags |= {
            "og:image": f"{base}/preview.png?of={of}",
            "og:image:type": "image/png",
            "og:image:width": str(link_pictures.WIDTH),
            "og:image:height": str(link_pictures.HEIGHT),
            "og:image:alt": f"{subject.title}. {subject.description}",
            "twitter:card": "summary_large_image",
        }
    lines = [] if subject.is_public else [PRIVATE_HEAD.html]
    lines += [f'<meta property="{name}" content="{html.escape(text)}">' for name, text in tags.items()]
    about = f"{base}/oembed?format=json&url={_quoted(f'{base}/{subject.path}')}"
    title = html.escape(subject.title)
    lines.append(f'<link rel="alternate" type="application/json+oembed" href="{html.escape(about)}" title="{title}">')
    return Head("\n    ".join(lines), subject.is_public)


def _quoted(address: str) -> str:
    return quote(address, safe="")


@router.get("/preview.png")
async def preview(request: Request, services: Served, of: Annotated[str, Query(max_length=1200)]) -> Response:
    """Return the picture of a page of the app, given by its path: the position on its board."""
    parts = urlsplit(of.removeprefix("/"))
    subject = await subject_of(services, parts.path, parts.query)
    if subject is None or subject.game is None:
        raise Refusal("no_such_page", "this page has no picture", "of")
    drawn = await _picture(request, services, subject)
    age = 60 if subject.live else 86_400
    caching = {"Cache-Control": f"public, max-age={age}"} if subject.is_public else PRIVATE
    return Response(drawn, media_type="image/png", headers={**PUBLIC, **caching})


async def _picture(request: Request, services: Services, subject: Subject) -> bytes:
    assert subject.game is not None
    key = (subject.game, subject.fen, subject.orientation == "white")
    found = services.pictures.get(key)
    if found is None:
        spend(request, "work", 20)
        found = await services.pool.run(visitor(request), partial(link_pictures.draw, *key))
        services.pictures.keep(key, found)
    return found


@router.get("/oembed")
async def oembed(
    request: Request,
    services: Served,
    url: Annotated[str, Query(max_length=MAX_URL)],
    format: Annotated[str, Query(max_length=10)] = "json",
    maxwidth: Annotated[int, Query(ge=1, le=10_000)] = WIDTH,
    maxheight: Annotated[int, Query(ge=1, le=10_000)] = 10_000,
) -> Response:
    """Describe a page of ours for other sites, as https://oembed.com says."""
    spend(request, "work")
    if format != "json":
        return Response("only format=json", 501, PUBLIC, "text/plain")
    subject, fragment = await _ours(request, services, url)
    base = base_url(request)
    ratio = 1.0 if subject.game is None else subject.game.ranks / subject.game.files
    width = max(160, min(maxwidth, 1200))
    height = max(200, min(maxheight, round(width * ratio) + AROUND))
    address = f"{base}/{subject.embed}" + (f"#{fragment}" if fragment else "")
    told: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Acedrex",
        "provider_url": f"{base}/",
        "title": subject.title,
        "width": width,
        "height": height,
        "cache_age": 3600 if subject.is_public else 0,
        "html": frame(address, subject.title, width, height),
    }
    if subject.game is not None:
        told |= {
            "thumbnail_url": f"{base}/preview.png?of={_quoted('/' + subject.path)}",
            "thumbnail_width": link_pictures.WIDTH,
            "thumbnail_height": link_pictures.HEIGHT,
        }
    headers = PUBLIC if subject.is_public else {**PUBLIC, "X-Robots-Tag": "noindex"}
    return Response(msgspec.json.encode(told), media_type="application/json", headers=headers)


def frame(address: str, title: str, width: int, height: int) -> str:
    """Return the line that shows one of our pages on another."""
    return (
        f'<iframe src="{html.escape(address)}" title="{html.escape(title)}" width="{width}" height="{height}" '
        'style="border:0;max-width:100%" loading="lazy" allowfullscreen></iframe>'
    )


async def _ours(request: Request, services: Services, url: str) -> tuple[Subject, str]:
    """Return the subject of one of our own URLs, and its fragment if that is an analysis.

    :raises Refusal: if it is not ours, or shows nothing.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    own = {urlsplit(origin).netloc for origin in services.settings.origins} | {request.url.netloc}
    root: str = request.scope.get("root_path", "")
    if parts.scheme in ("http", "https") and parts.netloc in own and parts.path.startswith(f"{root}/"):
        subject = await subject_of(services, parts.path.removeprefix(f"{root}/"), parts.query)
        if subject is not None:
            return subject, parts.fragment if subject.kind == "analysis" else ""
    raise Refusal("no_such_page", "this is not the address of a match, puzzle, game, study or analysis here", "url")

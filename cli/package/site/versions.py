"""Versions of the site side by side: each is a folder, and each page links to itself in the others. Nothing here needs a script."""
import html
import re

MARK = "site.css"  # a file that each version has
NAME = re.compile(r"[A-Za-z0-9][\w.-]*")
CHOOSER = '<details class="versions"></details>'
CHOSEN = re.compile(r'<details class="versions">.*?</details>', re.DOTALL)
START = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="0; url={newest}/index.html">
<title>espalier</title>
<link rel="stylesheet" href="{newest}/site.css">
</head>
<body>
<main>
<h1>espalier</h1>
<ul>
{items}</ul>
</main>
</body>
</html>
"""


def fault_of(folder, name):
    """Why a version cannot be made there; nothing: it can."""
    if not NAME.fullmatch(name):
        return f"'{name}' is no name of a version: it is a folder's name"
    if not folder.exists():
        return ""
    others = [entry for entry in folder.iterdir() if entry.name != "index.html" and not (entry / MARK).exists()]
    return f"'{folder}' is not a site: it has '{others[0].name}'" if others else ""


def found(folder):
    """The names of versions: numbers before words, and the newest first."""
    names = [entry.name for entry in folder.iterdir() if (entry / MARK).exists()]
    is_number = re.compile(r"\d+(\.\d+)*").fullmatch
    numbers = sorted(filter(is_number, names), key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    return numbers + sorted(name for name in names if not is_number(name))


def chooser(here, url, pages):
    """The versions as links to this page; where another version does not have it, to its first page."""
    root = "../" * (url.count("/") + 1)
    items = ""
    for name, urls in pages.items():
        if name == here:
            items += f'<li aria-current="true">{html.escape(name)}</li>'
        elif url in urls:
            items += f'<li><a href="{root}{name}/{html.escape(url)}">{html.escape(name)}</a></li>'
        else:
            items += f'<li><a href="{root}{name}/index.html">{html.escape(name)}</a> (without this page)</li>'
    return f'<details class="versions"><summary>version {html.escape(here)}</summary><ul>{items}</ul></details>'


def connect(folder):
    """Writes the links between versions into all pages, and the page that leads to the newest."""
    names = found(folder)
    pages = {name: {path.relative_to(folder / name).as_posix() for path in (folder / name).rglob("*.html")} for name in names}
    for name, urls in pages.items():
        for url in urls:
            path = folder / name / url
            before = path.read_text()
            after = CHOSEN.sub(lambda _: chooser(name, url, pages), before, count=1)
            if after != before:
                path.write_text(after)
    items = "".join(f'<li><a href="{name}/index.html">{html.escape(name)}</a></li>\n' for name in names)
    (folder / "index.html").write_text(START.format(newest=names[0], items=items))

"""HTML of the Markdown that the project's pages are written in: headings, paragraphs, lists of one level, tables, code, links, images,
emphasis. Anything else is text. Comments are left out."""
import html
import re

FENCE = re.compile(r"^```(\w*)\s*$")
HEADING = re.compile(r"^(#{1,6}) (.*)$")
ITEM = re.compile(r"^(?:[-*]|(\d+)\.) +(.*)$")
DELIMITER = re.compile(r"^\|[-|: ]+\|\s*$")
COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
CODE = re.compile(r"(`+)(.+?)\1")
ESCAPE = re.compile(r"\\([\\`*_\[\]|<>#])")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(([^)\s]+)\)")
BOLD = re.compile(r"\*\*(.+?)\*\*")
ITALIC = re.compile(r"(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])")


def slug(heading):
    """The fragment of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", plain(heading).lower()).replace(" ", "-")


def plain(text):
    """Text without marks, for titles and the search."""
    text = LINK.sub(r"\1", IMAGE.sub(r"\1", text))
    return ESCAPE.sub(r"\1", re.sub(r"\*\*|`", "", text))


class Renderer:
    """`link(target)` returns where a link of the page leads, and `code(text, language)` the HTML of a block's text."""

    def __init__(self, link, code):
        self.link = link
        self.code = code
        self.headings = []  # (level, text, fragment)

    def inline(self, text):
        kept = []

        def keep(markup):
            kept.append(markup)
            return f"\0{len(kept) - 1}\0"

        text = CODE.sub(lambda m: keep(f"<code>{html.escape(m[2].strip() or m[2], quote=False)}</code>"), text)
        text = ESCAPE.sub(lambda m: keep(html.escape(m[1])), text)
        text = html.escape(text, quote=False)
        text = IMAGE.sub(lambda m: keep(f'<img src="{html.escape(self.link(m[2]))}" alt="{html.escape(m[1])}">'), text)
        text = LINK.sub(lambda m: keep(f'<a href="{html.escape(self.link(html.unescape(m[2])))}">') + m[1] + "</a>", text)
        text = ITALIC.sub(r"<em>\1</em>", BOLD.sub(r"<strong>\1</strong>", text))
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)
        return text

    def cells(self, row):
        """The cells of a row of a table. A '|' in a cell is written as '\\|', also in code."""
        inside = re.sub(r"(?<!\\)\|$", "", row.strip().removeprefix("|"))
        return [self.inline(part.strip().replace("\\|", "|")) for part in re.split(r"(?<!\\)\|", inside)]

    def table(self, rows):
        head, body = self.cells(rows[0]), [self.cells(row) for row in rows[2:]]
        top = "".join(f"<th>{cell}</th>" for cell in head) if any(head) else ""
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>\n" for row in body)
        return f'<div class="wide" tabindex="0"><table>\n{f"<thead><tr>{top}</tr></thead>" if top else ""}<tbody>\n{lines}</tbody></table></div>\n'

    def heading(self, level, text):
        fragment = slug(text)
        used = sum(1 for _, _, other in self.headings if re.fullmatch(re.escape(fragment) + r"(-\d+)?", other))
        fragment += f"-{used}" if used else ""
        self.headings.append((level, plain(text), fragment))
        return f'<h{level} id="{html.escape(fragment)}">{self.inline(text)}</h{level}>\n'

    def render(self, markdown):
        # Comments in code are kept.
        parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
        lines = "".join(part if part.startswith("```") else COMMENT.sub("", part) for part in parts).split("\n")
        out, i = [], 0
        while i < len(lines):
            line = lines[i]
            fence, heading, item = FENCE.match(line), HEADING.match(line), ITEM.match(line)
            if fence:
                end = next((j for j in range(i + 1, len(lines)) if lines[j].startswith("```")), len(lines))
                out.append(f'<pre tabindex="0"><code>{self.code(chr(10).join(lines[i + 1:end]), fence[1])}</code></pre>\n')
                i = end + 1
            elif heading:
                out.append(self.heading(len(heading[1]), heading[2].strip()))
                i += 1
            elif line.startswith("|") and i + 1 < len(lines) and DELIMITER.match(lines[i + 1]):
                end = next((j for j in range(i, len(lines)) if not lines[j].startswith("|")), len(lines))
                out.append(self.table(lines[i:end]))
                i = end
            elif item:
                name, i = ("ol" if item[1] else "ul"), i
                items = []
                while i < len(lines) and (lines[i].strip() or (i + 1 < len(lines) and ITEM.match(lines[i + 1]))):
                    found = ITEM.match(lines[i])
                    if found:
                        items.append(found[2])
                    elif lines[i].strip():
                        items[-1] += "\n" + lines[i].strip()
                    i += 1
                out.append(f"<{name}>\n" + "".join(f"<li>{self.inline(text)}</li>\n" for text in items) + f"</{name}>\n")
            elif line.strip():
                begin = i
                while i < len(lines) and lines[i].strip() and not FENCE.match(lines[i]) and not HEADING.match(lines[i]) and not (
                        i > begin and (ITEM.match(lines[i]) or lines[i].startswith("|"))):
                    i += 1
                i = max(i, begin + 1)
                out.append(f"<p>{self.inline(chr(10).join(lines[begin:i]))}</p>\n")
            else:
                i += 1
        return "".join(out)

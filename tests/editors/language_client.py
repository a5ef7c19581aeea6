"""A client of the language server for tests: Client(ESPALIER, FOLDER)."""
import json
import os
import pathlib
import queue
import subprocess
import threading

ENVIRONMENT = {**os.environ, "XDG_CACHE_HOME": "/dev/null"}
SECONDS = 120


class Client:
    """A session: requests and notifications by method, and what the server says by itself."""

    def __init__(self, espalier, folder, encodings=("utf-16",), snippets=True, watching=None, refreshes=False, pages=False):
        self.folder = pathlib.Path(folder).resolve()
        self.process = subprocess.Popen([espalier, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT, cwd="/")
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.notifications = []
        self.watchers = []  # what the server has asked to be told of
        self.diagnostics = {}  # by path: the latest
        self.published = []  # paths, in order
        self.checked = {}  # by path: the version that the diagnostics are of
        self.last_id = 0
        self.versions = {}
        self.texts = {}
        self.capabilities = self.ask("initialize", {
            "processId": os.getpid(), "rootUri": self.folder.as_uri(),
            "capabilities": {"general": {"positionEncodings": list(encodings)},
                             "workspace": {"didChangeWatchedFiles": watching or {}, "codeLens": {"refreshSupport": refreshes}},
                             "textDocument": {"completion": {"completionItem": {"snippetSupport": snippets}},
                                              "publishDiagnostics": {"codeDescriptionSupport": pages}}}})["capabilities"]
        self.tell("initialized", {})

    def _read(self):
        out = self.process.stdout
        while True:
            size = 0
            while line := out.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    size = int(value)
            if not size:
                self.messages.put(None)
                return
            self.messages.put(json.loads(out.read(size)))

    def send(self, message):
        content = message if isinstance(message, bytes) else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def start(self, method, params):
        """Sends a request and returns its id."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def answer(self, wanted):
        """The whole answer to a request; notifications before it are kept."""
        while True:
            message = self.take()
            if "method" not in message and message.get("id") == wanted:
                return message

    def take(self):
        """The next message; notifications are kept."""
        message = self.messages.get(timeout=SECONDS)
        assert message is not None, f"the server has ended, or written what is not a message (status {self.process.poll()})"
        if message.get("method") == "textDocument/publishDiagnostics":
            path = message["params"]["uri"].removeprefix("file://")
            self.diagnostics[path] = message["params"]["diagnostics"]
            self.checked[path] = message["params"].get("version")
            self.published.append(path)
        if message.get("method") == "client/registerCapability":
            for each in message["params"]["registrations"]:
                assert each["method"] == "workspace/didChangeWatchedFiles", each
                self.watchers += [watcher["globPattern"] for watcher in each["registerOptions"]["watchers"]]
            self.send({"id": message["id"], "result": None})
        if "method" in message:
            self.notifications.append(message)
        return message

    def ask(self, method, params):
        message = self.answer(self.start(method, params))
        assert "result" in message, message
        return message["result"]

    def fault(self, method, params):
        message = self.answer(self.start(method, params))
        assert "error" in message, message
        return message["error"]

    # ---- Files on disk

    def write(self, name, text):
        """Writes a file, or removes it, and tells so."""
        path = self.folder / name
        kind = 3 if text is None else 2 if path.exists() else 1
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.tell("workspace/didChangeWatchedFiles", {"changes": [{"uri": self.uri(name), "type": kind}]})

    # ---- Texts

    def uri(self, name):
        return (self.folder / name).as_uri()

    def open(self, name, text=None):
        self.texts[name] = (self.folder / name).read_text() if text is None else text
        self.versions[name] = 1
        kind = "json" if name.endswith(("json", "jsonl")) else "xml"
        self.tell("textDocument/didOpen", {"textDocument": {"uri": self.uri(name), "languageId": kind, "version": 1, "text": self.texts[name]}})

    def change(self, name, text):
        self.texts[name] = text
        self.versions[name] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.versions[name]}, "contentChanges": [{"text": text}]})

    def replace(self, name, before, after):
        """Changes a piece of the text, which occurs once, as an editor tells it."""
        text = self.texts[name]
        assert text.count(before) == 1, (name, before, text.count(before))
        at = text.index(before)
        span = {"start": self.position(text, at), "end": self.position(text, at + len(before))}
        self.texts[name] = text.replace(before, after)
        self.versions[name] += 1
        self.tell("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": self.versions[name]},
                                             "contentChanges": [{"range": span, "text": after}]})

    @staticmethod
    def position(text, at):
        line = text.count("\n", 0, at)
        begin = text.rfind("\n", 0, at) + 1
        return {"line": line, "character": len(text[begin:at].encode("utf-16-le")) // 2}

    def at(self, name, marked):
        """The parameters of a place: `marked` is a piece of the text with '|' at the cursor."""
        piece = marked.replace("|", "", 1)
        assert piece in self.texts[name], (name, piece)
        return {"textDocument": {"uri": self.uri(name)}, "position": self.position(self.texts[name], self.texts[name].index(piece) + marked.index("|"))}

    def document(self, name):
        return {"textDocument": {"uri": self.uri(name)}}

    def piece(self, name, span):
        """The text of a range."""
        lines = self.texts.get(name, (self.folder / name).read_text()).split("\n")
        begin, end = span["start"], span["end"]
        assert begin["line"] == end["line"]
        return lines[begin["line"]].encode("utf-16-le")[2 * begin["character"]:2 * end["character"]].decode("utf-16-le")

    def token_kinds(self, name):
        """The kind of each piece of the text that has a colour."""
        tokens = self.ask("textDocument/semanticTokens/full", self.document(name))["data"]
        assert len(tokens) % 5 == 0, tokens
        types = self.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"]
        line, character, kinds = 0, 0, {}
        for i in range(0, len(tokens), 5):
            line, character = line + tokens[i], tokens[i + 1] + (0 if tokens[i] else character)
            place = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + tokens[i + 2]}}
            kinds[self.piece(name, place)] = types[tokens[i + 3]]
        return kinds

    def edited(self, name, edits):
        """The text after edits."""
        text = self.texts.get(name) or (self.folder / name).read_text()
        lines = [(line + "\n").encode("utf-16-le") for line in text.split("\n")]
        offset = lambda place: sum(map(len, lines[:place["line"]])) + 2 * place["character"]
        units = text.encode("utf-16-le")
        for edit in sorted(edits, key=lambda each: offset(each["range"]["start"]), reverse=True):
            units = units[:offset(edit["range"]["start"])] + edit["newText"].encode("utf-16-le") + units[offset(edit["range"]["end"]):]
        return units.decode("utf-16-le")

    def found(self, name):
        """The codes of a file's diagnostics, when all messages so far are answered."""
        self.ask("textDocument/foldingRange", self.document(name))
        while name.endswith(".properties.json") and self.checked.get(str(self.folder / name)) != self.versions[name]:
            self.take()  # they are proved when nothing is asked
        return [each.get("code", "") for each in self.diagnostics.get(str(self.folder / name), [])]

    def close(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.stdin.close()
        return self.process.wait(timeout=SECONDS)

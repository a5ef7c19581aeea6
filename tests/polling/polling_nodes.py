"""What the kinds of nodes with one child and without children do, for polling_model.py."""
from polling_values import Throw, from_text, run_script, truth

IDLE, RUNNING, SUCCESS, FAILURE, SKIPPED = "idle", "running", "success", "failure", "skipped"
COMPLETED = (SUCCESS, FAILURE)


class Decorators:
    """Nodes with one child."""

    def tick_inverter(self, node):
        node.status = RUNNING
        status = self.execute(node.children[0])
        if status in COMPLETED:
            self.reset(node.children[0])
        return {SUCCESS: FAILURE, FAILURE: SUCCESS}.get(status, status)

    def tick_force(self, node):
        node.status = RUNNING
        status = self.execute(node.children[0])
        if status in COMPLETED:
            self.reset(node.children[0])
            return SUCCESS if node.kind == "ForceSuccess" else FAILURE
        return status

    def tick_keeprunninguntilfailure(self, node):
        node.status = RUNNING
        status = self.execute(node.children[0])
        if status in COMPLETED:
            self.reset(node.children[0])
        return FAILURE if status == FAILURE else RUNNING

    def tick_repeat(self, node):
        is_retry = node.kind != "Repeat"
        port = "num_attempts" if is_retry else "num_cycles"
        counted = FAILURE if is_retry else SUCCESS
        limit, v, child = self.read(node, port), node.v, node.children[0]
        go = v["count"] < limit or limit == -1
        node.status = RUNNING
        while go:
            was = child.status
            status = self.execute(child)
            if status == RUNNING:
                return RUNNING
            if status == SKIPPED:
                self.reset(child)
                return SKIPPED
            if status != counted:
                v["count"] = 0
                self.reset(child)
                return status
            v["count"] += 1
            if is_retry:
                limit = self.try_read(node, port, limit)
            go = v["count"] < limit or limit == -1
            self.reset(child)
            if was == IDLE and go:
                self.signal = True
                return RUNNING
        v["count"] = 0
        return counted

    def tick_timeout(self, node):
        milliseconds, v, child = self.read(node, "msec"), node.v, node.children[0]
        if not v["started"]:
            v["started"], v["expired"] = True, False
            node.status = RUNNING
            if milliseconds > 0:
                self.set_timer(node, milliseconds)
        if v["expired"]:
            v["started"] = v["expired"] = False
            return FAILURE
        status = self.execute(child)
        if status in COMPLETED:
            v["started"] = False
            self.clear_timer(node)
            self.reset(child)
        return status

    def tick_delay(self, node):
        milliseconds, v, child = self.read(node, "delay_msec"), node.v, node.children[0]
        if not v["started"]:
            v["started"], v["complete"] = True, False
            node.status = RUNNING
            self.set_timer(node, milliseconds)
        if not v["complete"]:
            return RUNNING
        status = self.execute(child)
        if status in COMPLETED:
            v["started"] = False
            self.reset(child)
        return status

    def tick_runonce(self, node):
        if node.v["ticked"]:
            return SKIPPED if self.read(node, "then_skip") else node.v["ticked"]
        node.status = RUNNING
        status = self.execute(node.children[0])
        if status in COMPLETED:
            node.v["ticked"] = status
            self.reset(node.children[0])
        return status

    def tick_precondition(self, node):
        otherwise = self.read(node, "else").lower()
        if not node.v["open"]:
            node.v["open"] = truth(run_script(node.board, node.ports["if"]))
        if not node.v["open"]:
            return otherwise
        status = self.execute(node.children[0])
        if status in COMPLETED:
            self.reset(node.children[0])
            node.v["open"] = False
        return status

    def updated(self, node):
        pointer = node.ports["entry"]
        entry = node.board.find(pointer[1] if isinstance(pointer, tuple) else pointer)
        if entry is None or entry.count == node.v["seen"]:
            return False
        node.v["seen"] = entry.count
        return True

    def tick_updated(self, node):
        if not node.v["inside"] and not self.updated(node):
            return SKIPPED if node.kind == "SkipUnlessUpdated" else RUNNING
        status = self.execute(node.children[0])
        node.v["inside"] = status == RUNNING
        return status

    def tick_subtree(self, node):
        if node.status == IDLE:
            node.status = RUNNING
        status = self.execute(node.children[0])
        if status in COMPLETED:
            self.reset(node.children[0])
        return status

    def tick_loopint(self, node):
        v, child = node.v, node.children[0]
        if node.status == IDLE:
            v["child_running"] = False
            v["queue"] = [int(each) for each in node.ports["queue"].split(";") if each]
        if not v["child_running"]:
            if not v["queue"]:
                return self.read(node, "if_empty").lower()
            self.write(node, "value", v["queue"].pop(0))
        if node.status == IDLE:
            node.status = RUNNING
        status = self.execute(child)
        v["child_running"] = status == RUNNING
        if status in COMPLETED:
            self.reset(child)
        return FAILURE if status == FAILURE else RUNNING

    def tick_ratecontroller(self, node):
        v, child = node.v, node.children[0]
        if node.status == IDLE:
            v["hz"], v["start"], v["first"] = self.read(node, "hz"), self.now, True
        node.status = RUNNING
        if not (v["first"] or child.status == RUNNING or (self.now - v["start"]) / 1000 >= 1 / v["hz"]):
            return RUNNING
        v["first"] = False
        status = self.execute(child)
        if status == SUCCESS:
            v["start"] = self.now
        return status

    def tick_singletrigger(self, node):
        if node.status == IDLE:
            node.v["first"] = True
        node.status = RUNNING
        if not node.v["first"]:
            return FAILURE
        status = self.execute(node.children[0])
        if status in COMPLETED:
            node.v["first"] = False
        return status


class Leaves:
    """Nodes without children, and the host's."""

    def tick_always(self, node):
        return SUCCESS if node.kind == "AlwaysSuccess" else FAILURE

    def tick_script(self, node):
        run_script(node.board, node.ports["code"])
        return SUCCESS

    def tick_scriptcondition(self, node):
        return SUCCESS if truth(run_script(node.board, node.ports["code"])) else FAILURE

    def tick_setblackboard(self, node):
        key, source = node.ports["output_key"], node.ports["value"]
        if isinstance(key, tuple):
            key = self.read(node, "output_key")
        entry = node.board.find(key)
        if isinstance(source, tuple):
            found = node.board.find(source[1])
            if found is None:
                raise Throw("no entry")
            if entry is None:
                entry = node.board.make(key, found.type)
            if found.value is None:
                return FAILURE
            value = found.value
        else:
            value = ("text", source, "text")
        if value[0] == "text" and entry is not None and entry.type != "text":
            if entry.type is None:
                value = (None, None, None)
            elif entry.type == "any":
                raise Throw("no text")
            else:
                value = from_text(value[1], entry.type)
        if value[0] is None:
            self.drop(node.board, key)
        else:
            node.board.write_any(key, value)
        return SUCCESS

    @staticmethod
    def drop(board, key):
        """Nothing is written to an untyped entry, which loses its value."""
        own = board.root.entries if key.startswith("@") else board.entries
        entry = own.get(key.lstrip("@"))
        if entry is None:
            entry = board.make(key, None)
        else:
            entry.type = "any"
        entry.value = None
        entry.count += 1

    def tick_unsetblackboard(self, node):
        node.board.entries.pop(node.ports["key"], None)
        return SUCCESS

    def tick_sleep(self, node):
        if node.status == IDLE:
            milliseconds = self.read(node, "msec")
            if milliseconds == 0:
                return SUCCESS
            node.v["complete"] = False
            self.set_timer(node, milliseconds)
            return RUNNING
        if node.status == RUNNING:
            return SUCCESS if node.v["complete"] else RUNNING
        return node.status

    def tick_wasentryupdated(self, node):
        return SUCCESS if self.updated(node) else FAILURE

    # ---- The host's
    def tell_inputs(self, node):
        for port in sorted(self.declared[node.kind]):
            declared = self.declared[node.kind][port]
            if port == "as" or declared[0] == "output" or (port not in node.ports and declared[2] is None):
                continue
            try:
                value = self.read(node, port)
            except Throw:
                value = "error"
            if isinstance(value, float) and value == int(value):
                value = int(value)
            self.events.append(f"read {node.kind} {port} {value}")

    def answer(self, node):
        answer, outputs = self.host(node)
        for port, value in outputs.items():
            self.write(node, port, value)
        return answer

    def tick_action(self, node):
        if node.status in COMPLETED:
            return node.status
        starts = node.status == IDLE
        if starts:
            self.tell_inputs(node)
            self.events.append(f"enter {node.kind}")
        answer = self.answer(node)
        self.events.append(f"tick {node.kind} {answer}")
        if answer in COMPLETED or (answer == SKIPPED and starts):
            self.events.append(f"leave {node.kind}")
        return answer

    def tick_sync(self, node):
        self.tell_inputs(node)
        self.events.append(f"enter {node.kind}")
        answer = self.answer(node)
        self.events.append(f"tick {node.kind} {answer}")
        if answer == RUNNING:
            raise Throw("a synchronous action runs")
        self.events.append(f"leave {node.kind}")
        return answer

    def tick_condition(self, node):
        self.tell_inputs(node)
        answer = self.answer(node)
        self.events.append(f"ask {node.kind} {({SUCCESS: 'true', FAILURE: 'false'}).get(answer, answer)}")
        return answer

    def tick_gate(self, node):
        node.status = RUNNING
        child = node.children[0]
        if child.status != RUNNING:
            self.tell_inputs(node)
            answer = self.answer(node)
            self.events.append(f"ask {node.kind} {'true' if answer == SUCCESS else 'false'}")
            if answer != SUCCESS:
                return RUNNING
        status = self.execute(child)
        if status in COMPLETED:
            self.reset(child)
        return status

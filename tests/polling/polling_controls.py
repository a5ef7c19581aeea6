"""What the kinds of nodes with several children do, for polling_model.py."""
from polling_nodes import COMPLETED, FAILURE, IDLE, RUNNING, SKIPPED, SUCCESS
from polling_values import Throw


class Controls:
    """Nodes with several children."""

    def tick_list(self, node):
        memory = node.kind == "SequenceWithMemory"
        is_async = memory or node.kind.startswith("Async")
        goes_on, ends = (FAILURE, SUCCESS) if node.kind.endswith("Fallback") else (SUCCESS, FAILURE)
        v, count = node.v, len(node.children)
        if node.status == IDLE:
            v["skips"] = 0
        node.status = RUNNING
        while v["i"] < count:
            child = node.children[v["i"]]
            was = child.status
            status = self.execute(child)
            if status == RUNNING:
                return RUNNING
            if status == ends:
                if memory:
                    for other in node.children[v["i"]:]:
                        self.reset(other)
                else:
                    self.reset_all(node)
                    v["i"] = 0
                    if goes_on == SUCCESS:
                        v["skips"] = 0
                return ends
            v["i"] += 1
            if status == SKIPPED:
                v["skips"] += 1
            elif is_async and was == IDLE and v["i"] < count:
                self.signal = True
                return RUNNING
        status = SKIPPED if v["skips"] == count else goes_on
        self.reset_all(node)
        v["i"] = v["skips"] = 0
        return status

    def tick_reactive(self, node):
        goes_on, ends = (SUCCESS, FAILURE) if node.kind == "ReactiveSequence" else (FAILURE, SUCCESS)
        node.status = RUNNING
        all_skipped = True
        for child in node.children:
            status = self.execute(child)
            if status == RUNNING:
                self.reset_all(node, child)
                return RUNNING
            if status == ends:
                self.reset_all(node)
                return ends
            if status == SKIPPED:
                self.reset(child)
            else:
                all_skipped = False
        self.reset_all(node)
        return SKIPPED if all_skipped else goes_on

    def tick_parallel(self, node):
        count, done = len(node.children), node.v["done"]

        def need(threshold):
            return threshold if threshold >= 0 else max(count + threshold + 1, 0)
        success_count, failure_count = self.read(node, "success_count"), self.read(node, "failure_count")
        successes, failures = need(success_count), need(failure_count)
        if count < successes or count < failures:
            raise Throw("threshold")
        node.status = RUNNING
        skips = 0
        for k, child in enumerate(node.children):
            if k not in done:
                status = self.execute(child)
                if status in COMPLETED:
                    done[k] = status
                elif status == SKIPPED:
                    skips += 1
            ok = list(done.values()).count(SUCCESS)
            bad = list(done.values()).count(FAILURE)
            if ok >= successes or (success_count < 0 and ok + skips >= successes):
                result = SUCCESS
            elif count - bad < successes or bad == failures:
                result = FAILURE
            else:
                continue
            done.clear()
            self.reset_all(node)
            return result
        return SKIPPED if skips == count else RUNNING

    def tick_parallelall(self, node):
        count, done = len(node.children), node.v["done"]
        failures = self.read(node, "max_failures")
        if failures < 0:
            failures = max(count + failures + 1, 0)
        if count < failures:
            raise Throw("threshold")
        node.status = RUNNING
        skips = 0
        for k, child in enumerate(node.children):
            if k not in done:
                status = self.execute(child)
                if status in COMPLETED:
                    done[k] = status
                elif status == SKIPPED:
                    skips += 1
        if skips == count:
            return SKIPPED
        if skips + len(done) < count:
            return RUNNING
        bad = list(done.values()).count(FAILURE)
        self.reset_all(node)
        done.clear()
        return FAILURE if bad >= failures else SUCCESS

    def tick_ifthenelse(self, node):
        node.status = RUNNING
        if node.v["at"] == 0:
            status = self.execute(node.children[0])
            if status == RUNNING:
                return RUNNING
            if status == SKIPPED:
                raise Throw("skipped condition")
            if status == SUCCESS:
                node.v["at"] = 1
            elif len(node.children) == 3:
                node.v["at"] = 2
            else:
                return FAILURE
        status = self.execute(node.children[node.v["at"]])
        if status == RUNNING:
            return RUNNING
        self.reset_all(node)
        node.v["at"] = 0
        return status

    def tick_whiledoelse(self, node):
        node.status = RUNNING
        status = self.execute(node.children[0])
        if status == RUNNING:
            return RUNNING
        if status == SKIPPED:
            raise Throw("skipped condition")
        has_else = len(node.children) == 3
        if status == SUCCESS:
            if has_else:
                self.reset(node.children[2])
            status = self.execute(node.children[1])
        elif has_else:
            self.reset(node.children[1])
            status = self.execute(node.children[2])
        if status == RUNNING:
            return RUNNING
        self.reset_all(node)
        return status

    def tick_switch(self, node):
        cases = len(node.children) - 1
        chosen = cases
        variable = self.try_read(node, "variable")
        if variable is not None:
            for k in range(cases):
                case = self.try_read(node, f"case_{k + 1}")
                if case is not None and self.is_case(variable, case):
                    chosen = k
                    break
        if node.v["running"] not in (None, chosen):
            self.reset(node.children[node.v["running"]])
        status = self.execute(node.children[chosen])
        node.v["running"] = chosen if status == RUNNING else None
        if status in COMPLETED:
            self.reset_all(node)
        return status

    @staticmethod
    def is_case(variable, case):
        if variable == case:
            return True
        try:
            return abs(float(variable) - float(case)) <= 2.0 ** -23
        except ValueError:
            return False

    def tick_trycatch(self, node):
        v, count, last = node.v, len(node.children), node.children[-1]
        if node.status == IDLE:
            v["skips"], v["caught"] = 0, False
        node.status = RUNNING
        while not v["caught"] and v["i"] < count - 1:
            status = self.execute(node.children[v["i"]])
            if status == RUNNING:
                return RUNNING
            if status == FAILURE:
                self.reset_all(node)
                v["i"], v["caught"] = 0, True
                break
            v["i"] += 1
            if status == SKIPPED:
                v["skips"] += 1
        if v["caught"]:
            if self.execute(last) == RUNNING:
                return RUNNING
            self.reset_all(node)
            v["i"], v["caught"] = 0, False
            return FAILURE
        status = SKIPPED if v["skips"] == count - 1 else SUCCESS
        self.reset_all(node)
        v["i"] = v["skips"] = 0
        return status

    def tick_pipelinesequence(self, node):
        skips = 0
        for k, child in enumerate(node.children):
            status = self.execute(child)
            if status == FAILURE:
                self.reset_all(node)
                node.v["last"] = 0
                return FAILURE
            if status == SKIPPED:
                skips += 1
            if status == RUNNING and k >= node.v["last"]:
                node.v["last"] = k
                return RUNNING
        self.reset_all(node)
        node.v["last"] = 0
        return SKIPPED if skips == len(node.children) else SUCCESS

    def tick_recoverynode(self, node):
        try:
            retries = self.read(node, "number_of_retries")
        except Throw:
            retries = 1
        v, (work, recovery) = node.v, node.children
        node.status = RUNNING

        def ended(status):
            self.reset_all(node)
            v["tries"] = v["at"] = 0
            return status
        while v["tries"] <= retries:
            if v["at"] == 0:
                status = self.execute(work)
                if status == RUNNING:
                    return RUNNING
                if status != FAILURE or v["tries"] >= retries:
                    return ended(status)
                self.reset(work)
                v["at"] = 1
            else:
                status = self.execute(recovery)
                if status == RUNNING:
                    return RUNNING
                if status == FAILURE:
                    return ended(FAILURE)
                v["at"] = 0
                self.reset(recovery)
                if status == SKIPPED:
                    return FAILURE
                v["tries"] += 1
        return ended(FAILURE)

    def tick_roundrobin(self, node):
        # While all its children are skipped it is not set running: its conditions are asked again.
        v, count, skips = node.v, len(node.children), 0
        while v["failed"] + skips < count:
            status = self.execute(node.children[v["i"]])
            is_over = False
            if status != RUNNING:
                v["i"] += 1
                if v["i"] == count:
                    v["i"] = 0
                    is_over = not node.ports.get("wrap_around", False)
            if status == RUNNING:
                return RUNNING
            if is_over:
                if status == FAILURE:
                    v["failed"] += 1
                if status == SKIPPED:
                    skips += 1
                break
            if status == SUCCESS:
                v["failed"] = 0
                self.reset_all(node)
                return SUCCESS
            if status == FAILURE:
                v["failed"] += 1
            else:
                skips += 1
        self.reset_all(node)
        v["i"] = v["failed"] = 0
        return SKIPPED if skips == count else FAILURE

    def tick_nonblockingsequence(self, node):
        running = False
        for child in node.children:
            status = self.execute(child)
            if status == FAILURE:
                self.reset_all(node)
                return FAILURE
            if status == SKIPPED:
                raise Throw("skipped child")
            running = running or status == RUNNING
        if running:
            return RUNNING
        self.reset_all(node)
        return SUCCESS

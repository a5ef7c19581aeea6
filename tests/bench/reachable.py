"""How many leaves of a generated tree some state selects, by search: see generate_trees.py."""


def conjunctions(condition, wanted):
    """What must hold so that `condition` is `wanted`: a list of clauses, each a list of (variable, value), one of which must hold."""
    if condition is None:
        return [] if wanted else [[]]
    operator, terms = condition
    literals = [(variable, value == wanted) for variable, value in terms]
    return [[literal] for literal in literals] if (operator == "and") == wanted else [literals]


def is_satisfiable(clauses, values):
    """Unit propagation, then both values of one variable."""
    values = dict(values)
    changed = True
    while changed:
        changed, open_clauses = False, []
        for clause in clauses:
            if any(values.get(variable) == value for variable, value in clause):
                continue
            rest = [literal for literal in clause if literal[0] not in values]
            if not rest:
                return False
            if len(rest) == 1:
                values[rest[0][0]] = rest[0][1]
                changed = True
            else:
                open_clauses.append(rest)
        clauses = open_clauses
    if not clauses:
        return True
    variable, value = clauses[0][0]
    return any(is_satisfiable(clauses, {**values, variable: tried}) for tried in (value, not value))


def count_reachable(tree, above=()):
    """The leaves that are chosen in some state. A group whose last child always holds never fails."""
    count = 0
    clauses = list(above)
    for condition, below in tree:
        here = clauses + conjunctions(condition, True)
        if below is None:
            count += is_satisfiable(here, {})
        else:
            count += count_reachable(below, here)
        clauses += conjunctions(condition, False)
    return count

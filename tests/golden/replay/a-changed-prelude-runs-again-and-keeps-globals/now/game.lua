seen = seen or 0
range = 10
function Far(distance) return distance > range end
function Count() seen = seen + 1; return seen end

seen = seen or 0
range = 20
function Far(distance) return distance > range end

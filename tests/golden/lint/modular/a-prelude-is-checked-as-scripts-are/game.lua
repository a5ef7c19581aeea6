function IsNear(distance)
  return distance <
end

function IsNear(distance)
  return distance < 10
end

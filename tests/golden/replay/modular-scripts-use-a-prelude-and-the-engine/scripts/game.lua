-- Functions for all agents.
Game_Range = 10
function IsNear(distance)
  return distance < Game_Range
end
function Alarm(entity)
  AI.SetBehaviorVariable(entity.id, "Alarmed", true)
  AI.Signal(SIGNALFILTER_GROUPONLY_EXCEPT, 1, "OnAlarm", entity.id)
end

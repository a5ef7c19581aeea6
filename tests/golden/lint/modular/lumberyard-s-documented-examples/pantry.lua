function Wave() end
function LightTorch() end
function PutOutTorch() end
function IsPearRipe() return true end

Game_Range = Game_Range + 5
count = 0
error("only this file ends here")
count = 1

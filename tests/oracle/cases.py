def check(): return 0

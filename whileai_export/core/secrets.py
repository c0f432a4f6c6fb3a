"""stub"""
def secrets(trajectory):
    return 0, []

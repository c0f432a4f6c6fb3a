"""stub"""
def structure(messages):
    return []

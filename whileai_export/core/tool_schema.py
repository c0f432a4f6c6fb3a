"""stub"""
def tool_schema(trajectory):
    return 0, []

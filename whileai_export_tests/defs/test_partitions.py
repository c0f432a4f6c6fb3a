from whileai_export.defs.partitions import by_simulation


def test_a_dataset_has_partitions_of_its_own():
    assert by_simulation().name == "simulation"
    assert by_simulation("support").name == "support_simulation"

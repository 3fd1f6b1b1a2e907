"""A cluster of three nodes for all tests of a session, with the plug-ins of tests on each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support import plugin


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'consistency-arena[ray]'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - not last in the queue of a busy machine
    from ray.cluster_utils import Cluster

    with plugin.installed(tmp_path_factory.mktemp("plugins")):
        built = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "object_store_memory": 10**8})
        for _ in range(2):
            built.add_node(num_cpus=2, object_store_memory=10**8)
        yield built
        ray.shutdown()
        built.shutdown()

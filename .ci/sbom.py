#!/usr/bin/env python3
"""What is installed here, as a CycloneDX 1.5 document on stdout: names, versions, licences, hashes of the lock."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-torch.txt", "requirements-nodeps.txt", "requirements-spacy.lock")


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hashes() -> dict[str, list[str]]:
    result: dict[str, list[str]] = {}
    for name in LOCKS:
        for block in re.split(r"\n(?=[A-Za-z0-9])", (ROOT / name).read_text()):
            if pin := re.match(r"([A-Za-z0-9._-]+)==([^\s\\;]+)", block):
                result[f"{normal(pin[1])}=={pin[2]}"] = re.findall(r"sha256:([0-9a-f]{64})", block)
    return result


def component(one: Distribution, known: dict[str, list[str]]) -> dict[str, Any]:
    name, version = one.metadata["Name"], one.version
    public = version.partition("+")[0]
    licence = one.metadata.get("License-Expression") or (one.metadata.get("License") or "").partition("\n")[0]
    entry: dict[str, Any] = {
        "type": "library",
        "name": name,
        "version": version,
        "purl": f"pkg:pypi/{normal(name)}@{public}",
        "hashes": [{"alg": "SHA-256", "content": h} for h in known.get(f"{normal(name)}=={public}", [])],
    }
    if licence:
        entry["licenses"] = [{"license": {"name": licence[:200]}}]
    return entry


def main() -> None:
    known = hashes()
    installed = {normal(one.metadata["Name"]): one for one in distributions() if one.metadata["Name"]}
    project = installed.pop("consistency-arena", None)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "name": "consistency-arena",
                "version": project.version if project else "unknown",
            }
        },
        "components": [component(installed[name], known) for name in sorted(installed)],
    }
    json.dump(document, sys.stdout, indent=1, sort_keys=True)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()

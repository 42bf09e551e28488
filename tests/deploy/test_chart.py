"""The chart, by what Helm made of it with several sets of values: what each object has to have."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy_tools import CHART, CHECKOUT, RENDERED, VALUES, fingerprint, only, read, rendering

from bot.app import GRACE_S

Manifest = dict[str, Any]


def pods(objects: list[Manifest]) -> Iterator[tuple[str, Manifest, Manifest]]:
    """Each pod: its name, its metadata and its spec."""
    for each in objects:
        name = each["metadata"]["name"]
        if each["kind"] == "Pod":
            yield name, each["metadata"], each["spec"]
        elif each["kind"] in ("Deployment", "Job"):
            template = each["spec"]["template"]
            yield name, template["metadata"], template["spec"]


def container(deployment: Manifest) -> Manifest:
    (found,) = deployment["spec"]["template"]["spec"]["containers"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_what_is_looked_at_is_of_this_chart(values: Path) -> None:
    head = rendering(values).read_text().partition("\n")[0]
    assert head.endswith(fingerprint(values)), "the chart was changed: make deploy-render"


def test_each_rendering_has_its_values() -> None:
    assert {path.name for path in RENDERED.iterdir()} == {path.name for path in VALUES}


def test_chart_is_of_this_version_of_the_product() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    assert yaml.safe_load((CHART / "Chart.yaml").read_text())["appVersion"] == project["version"]


def test_no_pod_may_do_more_than_it_needs(objects: list[Manifest]) -> None:
    for name, _, spec in pods(objects):
        assert spec["automountServiceAccountToken"] is False, name
        security = spec["securityContext"]
        assert security["runAsNonRoot"] is True, name
        assert security["runAsUser"] == security["runAsGroup"] == 10001, name
        assert security["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(spec), name
        for each in spec["containers"]:
            own = each["securityContext"]
            assert own["readOnlyRootFilesystem"] is True, name
            assert own["allowPrivilegeEscalation"] is False, name
            assert own["capabilities"] == {"drop": ["ALL"]}, name


def test_only_the_data_folder_and_tmp_can_be_written_to(objects: list[Manifest]) -> None:
    for name, _, spec in pods(objects):
        folders = {each["name"]: each for each in spec["volumes"]}
        assert not [each for each in folders.values() if "hostPath" in each], name
        for each in spec["containers"]:
            for mount in each["volumeMounts"]:
                if mount.get("readOnly"):
                    continue
                assert mount["mountPath"] in ("/tmp", "/var/lib/db-agent"), name
                assert folders[mount["name"]]["emptyDir"]["sizeLimit"], name


def test_each_container_says_what_it_takes(objects: list[Manifest]) -> None:
    for name, _, spec in pods(objects):
        for each in spec["containers"]:
            resources = each["resources"]
            assert set(resources["requests"]) == {"cpu", "memory"}, name
            assert "memory" in resources["limits"], name
            assert not each["image"].endswith(":latest"), name


def test_secrets_come_from_secrets_alone(objects: list[Manifest]) -> None:
    settings = [each["data"] for each in objects if each["kind"] == "ConfigMap"]
    for data in settings:
        assert not [name for name in data if "TOKEN" in name or "KEY" in name], data
    for name, _, spec in pods(objects):
        for each in spec["containers"]:
            for variable in each.get("env", []):
                assert "value" in variable or "secretKeyRef" in variable["valueFrom"], name
                assert "://" not in str(variable.get("value", "")), name


def test_deployments_are_rolled_out_without_a_gap(objects: list[Manifest]) -> None:
    for each in objects:
        if each["kind"] != "Deployment":
            continue
        spec = each["spec"]
        assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
        pod = spec["template"]
        assert spec["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
        assert pod["spec"]["terminationGracePeriodSeconds"] >= GRACE_S + 15
        assert "checksum/settings" in pod["metadata"]["annotations"]
        spread = pod["spec"]["topologySpreadConstraints"]
        assert {each["topologyKey"] for each in spread} == {
            "kubernetes.io/hostname",
            "topology.kubernetes.io/zone",
        }


def test_life_and_readiness_are_asked_of_their_own_pages(objects: list[Manifest]) -> None:
    for each in objects:
        if each["kind"] != "Deployment":
            continue
        asked = container(each)
        ports = {port["name"]: port["containerPort"] for port in asked["ports"]}
        assert ports["metrics"] == 9090
        assert asked["livenessProbe"]["httpGet"] == {"path": "/healthz", "port": "metrics"}
        assert asked["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "metrics"}
        startup = asked["startupProbe"]
        assert startup["periodSeconds"] * startup["failureThreshold"] >= 60
        life = asked["livenessProbe"]
        assert life["periodSeconds"] * life["failureThreshold"] >= 60, "a slow moment is no death"


def test_services_and_budgets_find_their_pods(objects: list[Manifest]) -> None:
    labels = [metadata["labels"] for _, metadata, _ in pods(objects)]
    for each in objects:
        if each["kind"] == "Service":
            wanted = each["spec"]["selector"]
        elif each["kind"] == "PodDisruptionBudget":
            wanted = each["spec"]["selector"]["matchLabels"]
        elif each["kind"] == "NetworkPolicy":
            wanted = each["spec"]["podSelector"]["matchLabels"]
        else:
            continue
        assert [found for found in labels if wanted.items() <= found.items()], each["metadata"]


def test_workers_answer_and_serve_does_not_where_they_are_apart() -> None:
    objects = read("least")
    serve = container(only(objects, "Deployment", "-serve"))
    assert serve["args"] == ["serve", "--no-workers"]
    assert container(only(objects, "Deployment", "-worker"))["args"] == ["worker"]
    together = read("together")
    assert container(only(together, "Deployment"))["args"] == ["serve"]


def test_no_port_is_there_for_slack_unless_slack_calls() -> None:
    objects = read("least")
    serve = container(only(objects, "Deployment", "-serve"))
    assert [port["name"] for port in serve["ports"]] == ["metrics"]
    assert not [each for each in objects if each["kind"] == "Ingress"]
    called = read("everything")
    serve = container(only(called, "Deployment", "-serve"))
    assert serve["args"][-4:] == ["--http", "8080", "--host", "0.0.0.0"]
    assert serve["lifecycle"]["preStop"]["exec"]["command"] == ["sleep", "5"]
    (rule,) = only(called, "Ingress")["spec"]["rules"]
    paths = {each["path"] for each in rule["http"]["paths"]}
    assert paths == {"/slack/events", "/slack/install", "/slack/oauth_redirect"}
    assert {each["pathType"] for each in rule["http"]["paths"]} == {"Exact"}


def test_schema_is_brought_up_to_date_before_a_version_is_rolled_out() -> None:
    for stem in ("least", "everything"):
        objects = read(stem)
        job = only(objects, "Job", "-migrate")
        assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
        migrate = container(job)
        assert migrate["args"] == ["migrate"]
        (address,) = migrate["env"]
        assert address["name"] == "DB_AGENT_STORE_URL"
        for each in (only(objects, "Deployment", "-serve"), only(objects, "Deployment", "-worker")):
            assert {"name": "DB_AGENT_MIGRATE", "value": "off"} in container(each)["env"]
    assert "serviceAccountName" not in job["spec"]["template"]["spec"], "none is there yet"
    secret = only(objects, "Secret", "-migrate")
    assert address["valueFrom"]["secretKeyRef"]["name"] == secret["metadata"]["name"]
    assert set(secret["stringData"]) == {"DB_AGENT_STORE_URL"}
    together = container(only(read("together"), "Deployment"))
    assert "DB_AGENT_MIGRATE" not in {each["name"] for each in together["env"]}


def test_what_may_be_reached_and_by_whom() -> None:
    policy = only(read("everything"), "NetworkPolicy")["spec"]
    assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    ports = [{each["port"] for each in rule["ports"]} for rule in policy["egress"]]
    assert ports == [{53}, {443}, {5432}, {6432}, {4318}]
    assert all(rule["to"] for rule in policy["egress"])
    (https,) = policy["egress"][1]["to"]
    assert "169.254.0.0/16" in https["ipBlock"]["except"], "the cloud's own answers are kept out"
    entered = {rule["ports"][0]["port"]: rule["from"] for rule in policy["ingress"]}
    assert set(entered) == {"http", "metrics"}
    assert json.dumps(entered["metrics"]).count("monitoring") == 1
    least = only(read("least"), "NetworkPolicy")["spec"]["ingress"]
    assert [rule["ports"][0]["port"] for rule in least] == ["metrics"]


def test_workers_are_as_many_as_the_queue_needs() -> None:
    objects = read("everything")
    assert "replicas" not in only(objects, "Deployment", "-worker")["spec"], "KEDA says how many"
    scaled = only(objects, "ScaledObject")["spec"]
    worker = only(objects, "Deployment", "-worker")["metadata"]["name"]
    assert scaled["scaleTargetRef"]["name"] == worker
    assert (scaled["minReplicaCount"], scaled["maxReplicaCount"]) == (3, 20)
    (trigger,) = scaled["triggers"]
    assert trigger["metadata"]["targetQueryValue"] == "12"
    reads = only(objects, "TriggerAuthentication")["spec"]["secretTargetRef"][0]
    assert reads["key"] in only(objects, "Secret", "db-agent")["stringData"]
    by_measure = only(read("adapter"), "HorizontalPodAutoscaler")["spec"]
    assert by_measure["scaleTargetRef"]["name"] == worker
    (metric,) = by_measure["metrics"]
    assert metric["external"]["target"] == {"type": "AverageValue", "averageValue": "8"}

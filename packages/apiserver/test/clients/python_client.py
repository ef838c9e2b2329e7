# SPDX-License-Identifier: Apache-2.0
"""What the official Python client is used for, one function per subject; prints which of those it is given fail, and how."""

import json
import sys
import traceback

from kubernetes import client, config, watch
from kubernetes.client.rest import ApiException
from kubernetes.dynamic import DynamicClient

NAMESPACE = "python"


def refused(status, call, *args, **kwargs):
    try:
        call(*args, **kwargs)
    except ApiException as error:
        assert error.status == status, error
    else:
        raise AssertionError(f"{call.__name__} was not refused with {status}")


def objects():
    """Reads, writes, lists, patches and deletes."""
    core = client.CoreV1Api()
    body = {"metadata": {"name": "mine", "labels": {"app": "a"}}, "data": {"color": "red"}}
    created = core.create_namespaced_config_map(NAMESPACE, body)
    assert created.metadata.uid, created
    created.data["color"] = "blue"
    core.replace_namespaced_config_map("mine", NAMESPACE, created)
    core.patch_namespaced_config_map("mine", NAMESPACE, {"data": {"size": "big"}})
    assert core.read_namespaced_config_map("mine", NAMESPACE).data == {"color": "blue", "size": "big"}
    assert len(core.list_namespaced_config_map(NAMESPACE, label_selector="app=a").items) == 1
    assert len(core.list_config_map_for_all_namespaces(field_selector="metadata.name=mine").items) == 1
    refused(409, core.create_namespaced_config_map, NAMESPACE, body)
    refused(422, core.create_namespaced_config_map, NAMESPACE, {"metadata": {"name": "No Name"}})
    core.delete_namespaced_config_map("mine", NAMESPACE)
    refused(404, core.read_namespaced_config_map, "mine", NAMESPACE)


def pages():
    """Lists page by page."""
    core = client.CoreV1Api()
    for name in ["a", "b", "c"]:
        core.create_namespaced_secret(NAMESPACE, {"metadata": {"name": name}, "stringData": {"key": name}})
    found, token = [], None
    while token != "":
        page = core.list_namespaced_secret(NAMESPACE, limit=2, _continue=token)
        found += [item.metadata.name for item in page.items]
        token = page.metadata._continue or ""
    assert found == ["a", "b", "c"], found


def watches():
    """Watches from a version on."""
    core = client.CoreV1Api()
    version = core.list_namespaced_service_account(NAMESPACE).metadata.resource_version
    core.create_namespaced_service_account(NAMESPACE, {"metadata": {"name": "watched"}})
    core.delete_namespaced_service_account("watched", NAMESPACE)
    told = []
    stream = watch.Watch()
    for event in stream.stream(
        core.list_namespaced_service_account, NAMESPACE, resource_version=version, timeout_seconds=30
    ):
        if event["object"].metadata.name == "watched":
            told.append(event["type"])
        if told[-1:] == ["DELETED"]:
            stream.stop()
    assert told[0] == "ADDED", told


def workloads():
    """Creates and scales a Deployment, and reads its typed fields."""
    apps = client.AppsV1Api()
    pod = client.V1PodSpec(containers=[client.V1Container(name="main", image="example:1")])
    labels = {"app": "web"}
    deployment = client.V1Deployment(
        metadata=client.V1ObjectMeta(name="web"),
        spec=client.V1DeploymentSpec(
            selector=client.V1LabelSelector(match_labels=labels),
            template=client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels=labels), spec=pod),
        ),
    )
    created = apps.create_namespaced_deployment(NAMESPACE, deployment)
    assert created.spec.strategy.rolling_update.max_surge == "25%", created.spec.strategy
    apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 3}})
    assert apps.read_namespaced_deployment_scale("web", NAMESPACE).spec.replicas == 3
    assert apps.read_namespaced_deployment("web", NAMESPACE).metadata.generation == 2


def events():
    """Writes an Event through one group and reads it through the other."""
    regarding = {"kind": "Pod", "name": "web", "namespace": NAMESPACE}
    body = {
        "metadata": {"name": "told"},
        "eventTime": "2026-01-02T03:04:05.000006Z",
        "reportingController": "example.com/controller",
        "reportingInstance": "a",
        "action": "Start",
        "reason": "Started",
        "note": "it has started",
        "type": "Normal",
        "regarding": regarding,
    }
    client.EventsV1Api().create_namespaced_event(NAMESPACE, body)
    told = client.CoreV1Api().list_namespaced_event(NAMESPACE, field_selector="involvedObject.name=web").items
    assert [event.message for event in told] == ["it has started"], told


def custom():
    """Defines a kind and uses its objects, typed by nobody."""
    names = {"plural": "widgets", "singular": "widget", "kind": "Widget"}
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    client.ApiextensionsV1Api().create_custom_resource_definition(
        {
            "metadata": {"name": "widgets.python.example.com"},
            "spec": {"group": "python.example.com", "names": names, "scope": "Namespaced", "versions": [version]},
        }
    )
    api = client.CustomObjectsApi()
    at = ("python.example.com", "v1", NAMESPACE, "widgets")
    body = {"apiVersion": "python.example.com/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": {"size": 1}}
    for _ in range(100):
        try:
            api.create_namespaced_custom_object(*at, body)
            break
        except ApiException as error:
            assert error.status == 404, error
    api.patch_namespaced_custom_object(*at, "a", {"spec": {"size": 2}})
    assert api.get_namespaced_custom_object(*at, "a")["spec"]["size"] == 2
    refused(422, api.patch_namespaced_custom_object, *at, "a", {"spec": {"size": "big"}})


def discovery():
    """Learns what the server is and what it serves."""
    assert client.VersionApi().get_code().git_version.startswith("v1."), "no version"
    groups = {group.name for group in client.ApisApi().get_api_versions().groups}
    assert {"apps", "batch", "events.k8s.io"} <= groups, groups
    resources = {resource.name for resource in client.CoreV1Api().get_api_resources().resources}
    assert {"pods", "pods/log", "endpoints"} <= resources, resources


def dynamic():
    """Uses kinds that it discovers, and applies."""
    found = DynamicClient(client.ApiClient())
    maps = found.resources.get(api_version="v1", kind="ConfigMap")
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"color": "red"}}
    maps.server_side_apply(body=body, name="applied", namespace=NAMESPACE, field_manager="python")
    assert maps.get(name="applied", namespace=NAMESPACE).data.color == "red"
    maps.delete(name="applied", namespace=NAMESPACE)


config.load_kube_config()
try:
    client.CoreV1Api().create_namespace({"metadata": {"name": NAMESPACE}})
except ApiException as error:
    assert error.status == 409, error
failures = {}
for subject in sys.argv[1:]:
    try:
        globals()[subject]()
    except Exception:
        failures[subject] = traceback.format_exc()
print(json.dumps(failures))

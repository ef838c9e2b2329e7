// SPDX-License-Identifier: Apache-2.0

// What client-go is used for: typed clients, informers, apply, dynamic clients, events and leader election.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespace = "client-go"

type clients struct {
	config *rest.Config
	typed  *kubernetes.Clientset
}

var subjects = []struct {
	sentence string
	run      func(context.Context, clients) error
}{
	{"reads, writes and lists in protobuf", objects},
	{"applies with typed configurations", apply},
	{"keeps an informer up to date", informer},
	{"maps kinds by discovery and uses them dynamically", dynamicObjects},
	{"writes an Event through one group and reads it through the other", events},
	{"elects a leader", leader},
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	check("log in", err)
	protobuf := rest.CopyConfig(config)
	protobuf.ContentType = "application/vnd.kubernetes.protobuf"
	typed, err := kubernetes.NewForConfig(protobuf)
	check("make a client", err)
	_, err = typed.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	check("create a namespace", err)
	for _, subject := range subjects {
		check(subject.sentence, subject.run(ctx, clients{config, typed}))
		fmt.Println(subject.sentence)
	}
}

func check(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"color": "red"}}
}

func objects(ctx context.Context, c clients) error {
	api := c.typed.CoreV1().ConfigMaps(namespace)
	created, err := api.Create(ctx, configMap("mine"), metav1.CreateOptions{})
	if err != nil {
		return err
	}
	created.Data["color"] = "blue"
	if _, err = api.Update(ctx, created, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err = api.Update(ctx, created, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("an update of an old version gives %v", err)
	}
	list, err := api.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=mine"})
	if err != nil || len(list.Items) != 1 || list.Items[0].Data["color"] != "blue" {
		return fmt.Errorf("the list is %v: %v", list, err)
	}
	return api.Delete(ctx, "mine", metav1.DeleteOptions{})
}

func apply(ctx context.Context, c clients) error {
	api := c.typed.CoreV1().ConfigMaps(namespace)
	options := metav1.ApplyOptions{FieldManager: "one"}
	if _, err := api.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "1"}), options); err != nil {
		return err
	}
	options.FieldManager = "two"
	_, err := api.Apply(ctx, applycorev1.ConfigMap("applied", namespace).WithData(map[string]string{"a": "2"}), options)
	if !apierrors.IsConflict(err) {
		return fmt.Errorf("a conflict gives %v", err)
	}
	extracted, err := api.Get(ctx, "applied", metav1.GetOptions{})
	if err != nil {
		return err
	}
	own, err := applycorev1.ExtractConfigMap(extracted, "one")
	if err != nil || own.Data["a"] != "1" {
		return fmt.Errorf("extracted %v: %v", own, err)
	}
	return nil
}

func informer(ctx context.Context, c clients) error {
	factory := informers.NewSharedInformerFactoryWithOptions(c.typed, 0, informers.WithNamespace(namespace))
	lister := factory.Core().V1().Secrets().Lister()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "seen"}}
	if _, err := c.typed.CoreV1().Secrets(namespace).Create(ctx, secret, metav1.CreateOptions{}); err != nil {
		return err
	}
	return until(ctx, func() bool {
		_, err := lister.Secrets(namespace).Get("seen")
		return err == nil
	})
}

func dynamicObjects(ctx context.Context, c clients) error {
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(c.typed.Discovery()))
	for _, kind := range []schema.GroupKind{{Group: "apps", Kind: "DaemonSet"}, {Kind: "Endpoints"}, {Group: "events.k8s.io", Kind: "Event"}} {
		if _, err := mapper.RESTMapping(kind); err != nil {
			return err
		}
	}
	mapping, err := mapper.RESTMapping(schema.GroupKind{Kind: "ConfigMap"})
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(c.config)
	if err != nil {
		return err
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "dynamic"},
	}}
	_, err = client.Resource(mapping.Resource).Namespace(namespace).Create(ctx, object, metav1.CreateOptions{})
	return err
}

func events(ctx context.Context, c clients) error {
	event := &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Name: "told"},
		EventTime:           metav1.NowMicro(),
		ReportingController: "example.com/controller",
		ReportingInstance:   "a",
		Action:              "Start",
		Reason:              "Started",
		Note:                "it has started",
		Type:                "Normal",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Name: "web", Namespace: namespace},
	}
	if _, err := c.typed.EventsV1().Events(namespace).Create(ctx, event, metav1.CreateOptions{}); err != nil {
		return err
	}
	told, err := c.typed.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=web"})
	if err != nil || len(told.Items) != 1 || told.Items[0].Message != "it has started" {
		return fmt.Errorf("core events are %v: %v", told, err)
	}
	return nil
}

func leader(ctx context.Context, c clients) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	led := false
	lock, err := resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader", c.typed.CoreV1(), c.typed.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: "me"})
	if err != nil {
		return err
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: time.Second, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { led = true; cancel() },
			OnStoppedLeading: func() {},
		},
	})
	if !led {
		return fmt.Errorf("nobody leads")
	}
	return nil
}

func until(ctx context.Context, holds func() bool) error {
	for !holds() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

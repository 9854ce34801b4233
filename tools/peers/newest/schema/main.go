// SPDX-License-Identifier: Apache-2.0

// Command schema prints the fields of the kinds that the embedded API server serves, in the notation
// of src/apiserver/kubernetes.schema: names, types, shapes, presence, patch strategies. Facts only;
// the sentences of upstream's documentation stay where they are.
package main

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

var roots = []any{
	corev1.Namespace{}, corev1.NamespaceList{}, corev1.Node{}, corev1.NodeList{},
	corev1.Pod{}, corev1.PodList{}, corev1.Service{}, corev1.ServiceList{},
	corev1.Endpoints{}, corev1.EndpointsList{}, corev1.ConfigMap{}, corev1.ConfigMapList{},
	corev1.Event{}, corev1.EventList{}, eventsv1.Event{}, eventsv1.EventList{},
	discoveryv1.EndpointSlice{}, discoveryv1.EndpointSliceList{},
	coordinationv1.Lease{}, coordinationv1.LeaseList{},
	networkingv1.ServiceCIDR{}, networkingv1.ServiceCIDRList{},
	networkingv1.IPAddress{}, networkingv1.IPAddressList{},
	metav1.Status{}, metav1.DeleteOptions{}, metav1.APIVersions{}, metav1.APIGroup{},
	metav1.APIGroupList{}, metav1.APIResourceList{}, metav1.WatchEvent{},
}

// Types that are written as one JSON value, whatever they are in Go.
var scalars = map[reflect.Type]string{
	reflect.TypeOf(intstr.IntOrString{}):   "IntOrString",
	reflect.TypeOf(resource.Quantity{}):    "Quantity",
	reflect.TypeOf(metav1.Time{}):          "Time",
	reflect.TypeOf(metav1.MicroTime{}):     "MicroTime",
	reflect.TypeOf(metav1.Duration{}):      "Duration",
	reflect.TypeOf(metav1.FieldsV1{}):      "any",
	reflect.TypeOf(runtime.RawExtension{}): "any",
	reflect.TypeOf([]byte{}):               "bytes",
}

var kinds = map[reflect.Kind]string{
	reflect.String: "string", reflect.Bool: "boolean", reflect.Int32: "integer",
	reflect.Int64: "long", reflect.Float64: "number",
}

type printer struct {
	definitions map[string]common.OpenAPIDefinition
	types       map[string]reflect.Type
}

func modelName(t reflect.Type) string {
	named, ok := reflect.New(t).Interface().(interface{ OpenAPIModelName() string })
	if !ok {
		panic("no OpenAPI name: " + t.String())
	}
	return named.OpenAPIModelName()
}

// add notes t and every type that its fields lead to.
func (p *printer) add(t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if _, scalar := scalars[t]; scalar {
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		p.add(t.Elem())
	case reflect.Struct:
		name := modelName(t)
		if _, known := p.types[name]; known {
			return
		}
		p.types[name] = t
		for _, f := range fieldsOf(t) {
			p.add(f.Type)
		}
	}
}

// A field as JSON has it, and the Go name of the inlined struct that it comes from.
type jsonField struct {
	reflect.StructField
	inlined string
}

// fieldsOf lists the fields as JSON has them: inlined structs are part of their owner.
func fieldsOf(t reflect.Type) []jsonField {
	var out []jsonField
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-":
		case name == "" && (f.Anonymous || strings.Contains(options, "inline")):
			for _, inner := range fieldsOf(f.Type) {
				out = append(out, jsonField{inner.StructField, f.Name})
			}
		default:
			out = append(out, jsonField{f, ""})
		}
	}
	return out
}

func typeName(t reflect.Type) string {
	if name, scalar := scalars[t]; scalar {
		return name
	}
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + typeName(t.Elem())
	case reflect.Map:
		return "{}" + typeName(t.Elem())
	case reflect.Struct:
		return modelName(t)
	}
	name, ok := kinds[t.Kind()]
	if !ok {
		panic("no word for " + t.String())
	}
	return name
}

// The Go name of the innermost value, where errors show it and it is not plain.
func goName(t reflect.Type) string {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer {
		if _, scalar := scalars[t]; scalar {
			return ""
		}
		t = t.Elem()
	}
	if t.PkgPath() == "" || t.Kind() == reflect.Struct {
		return ""
	}
	return t.String()
}

func words(value any) string {
	var out []string
	for _, item := range value.([]any) {
		out = append(out, fmt.Sprint(item))
	}
	sort.Strings(out)
	return strings.Join(out, ",")
}

func (p *printer) field(f jsonField, property spec.Schema, required bool) string {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	t := f.Type
	line := []string{name, ""}
	add := func(key, value string) {
		if value != "" {
			line = append(line, key+"="+value)
		}
	}
	if required {
		line[0] += "!"
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		line = append(line, "pointer")
	}
	line[1] = typeName(t)
	if !strings.Contains(options, "omitempty") {
		line = append(line, "always")
	}
	if strings.Contains(options, "omitzero") {
		line = append(line, "omitzero")
	}
	add("inline", f.inlined)
	add("go", goName(f.Type))
	if t.Kind() == reflect.Map && t.Key().PkgPath() != "" {
		add("gokey", t.Key().String())
	}
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		if t.Name() != "" {
			add("golist", t.String())
		}
	}
	add("patch", f.Tag.Get("patchStrategy"))
	add("key", f.Tag.Get("patchMergeKey"))
	if v, ok := property.Extensions["x-kubernetes-list-type"]; ok {
		add("list", v.(string))
	}
	if v, ok := property.Extensions["x-kubernetes-map-type"]; ok {
		add("map", v.(string))
	}
	if v, ok := property.Extensions["x-kubernetes-list-map-keys"]; ok {
		add("keys", words(v))
	}
	enum := property.Enum
	if len(enum) == 0 && property.Items != nil && property.Items.Schema != nil {
		enum = property.Items.Schema.Enum
	}
	if len(enum) > 0 {
		add("enum", words(enum))
	}
	switch v := property.Default.(type) {
	case string:
		add("default", v)
	case nil, map[string]any:
	default:
		if !reflect.ValueOf(v).IsZero() {
			add("default", fmt.Sprint(v))
		}
	}
	return " " + strings.Join(line, " ")
}

func (p *printer) print(name string) {
	t := p.types[name]
	definition := p.definitions[name].Schema
	required := map[string]bool{}
	for _, field := range definition.Required {
		required[field] = true
	}
	line := name + " " + t.String()
	if v, ok := definition.Extensions["x-kubernetes-map-type"]; ok {
		line += " map=" + v.(string)
	}
	fmt.Println(line)
	for _, f := range fieldsOf(t) {
		json, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fmt.Println(p.field(f, definition.Properties[json], required[json]))
	}
}

func main() {
	p := printer{types: map[string]reflect.Type{}}
	p.definitions = openapi.GetOpenAPIDefinitions(func(name string) spec.Ref {
		return spec.MustCreateRef(name)
	})
	for _, root := range roots {
		p.add(reflect.TypeOf(root))
	}
	names := make([]string, 0, len(p.types))
	for name := range p.types {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		p.print(name)
	}
}

{{- define "proxima.name" -}}
{{ .Release.Name }}-controller
{{- end }}

{{- define "proxima.selector" -}}
app.kubernetes.io/name: proxima
app.kubernetes.io/component: controller
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "proxima.metadata" -}}
name: {{ include "proxima.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "proxima.labels" . | nindent 2 }}
{{- end }}

{{- define "proxima.labels" -}}
{{ include "proxima.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "proxima.reports.name" -}}
{{ .Release.Name }}-reports
{{- end }}

{{- define "proxima.web.name" -}}
{{ include "proxima.name" . }}-web
{{- end }}

{{- define "proxima.web.metadata" -}}
name: {{ include "proxima.web.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "proxima.labels" . | nindent 2 }}
{{- end }}

{{- /* What the page lets browsers call it, comma-separated: the names of its Service, and those that are given. */ -}}
{{- define "proxima.web.hostNames" -}}
{{- $name := include "proxima.web.name" . -}}
{{- $space := .Release.Namespace -}}
{{- $own := list -}}
{{- if .Values.controller.web.service.enabled -}}
{{- $own = list $name (printf "%s.%s" $name $space) (printf "%s.%s.svc" $name $space) -}}
{{- end -}}
{{- concat $own .Values.controller.web.hostNames | join "," -}}
{{- end }}

{{- define "proxima.proxy.name" -}}
{{ .Release.Name }}-proxy
{{- end }}

{{- define "proxima.proxy.selector" -}}
app.kubernetes.io/name: proxima
app.kubernetes.io/component: proxy
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "proxima.proxy.metadata" -}}
name: {{ include "proxima.proxy.name" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "proxima.proxy.labels" . | nindent 2 }}
{{- end }}

{{- define "proxima.proxy.labels" -}}
{{ include "proxima.proxy.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

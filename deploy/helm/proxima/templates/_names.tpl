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

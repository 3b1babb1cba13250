{{/* Name of the release's objects: at most 40 characters, so that suffixes fit into 63. */}}
{{- define "continuo.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains "continuo" .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-continuo" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Labels that choose the pods of a component. dict: root, component */}}
{{- define "continuo.selector" -}}
app.kubernetes.io/name: continuo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Labels of every object of a component. dict: root, component */}}
{{- define "continuo.labels" -}}
{{ include "continuo.selector" . }}
app.kubernetes.io/part-of: continuo
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* Image of one of our services. dict: root, name */}}
{{- define "continuo.image" -}}
{{- $image := .root.Values.image -}}
{{- $repository := printf "%s%s" $image.repositoryPrefix .name -}}
{{- $base := ternary (printf "%s/%s" $image.registry $repository) $repository (ne $image.registry "") -}}
{{- $digest := get ($image.digests | default dict) .name -}}
{{- if $digest -}}{{ $base }}@{{ $digest }}{{- else -}}{{ $base }}:{{ $image.tag | default .root.Chart.AppVersion }}{{- end -}}
{{- end -}}

{{/* Image of somebody else's, from the private registry when there is one. dict: root, image */}}
{{- define "continuo.thirdPartyImage" -}}
{{- $registry := .root.Values.image.thirdPartyRegistry -}}
{{- if $registry -}}{{ $registry }}/{{ .image.repository }}:{{ .image.tag }}{{- else -}}{{ .image.registry }}/{{ .image.repository }}:{{ .image.tag }}{{- end -}}
{{- end -}}

{{- define "continuo.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "continuo.secretName" -}}
{{- .Values.secrets.existingSecret | default (include "continuo.fullname" .) -}}
{{- end -}}

{{- define "continuo.natsSecretName" -}}
{{- if .Values.nats.bundled -}}{{ include "continuo.secretName" . }}{{- else -}}{{ .Values.nats.external.existingSecret | default (include "continuo.secretName" .) }}{{- end -}}
{{- end -}}

{{- define "continuo.databaseSecretName" -}}
{{- if .Values.postgres.bundled -}}{{ include "continuo.secretName" . }}{{- else -}}{{ .Values.postgres.external.existingSecret | default (include "continuo.secretName" .) }}{{- end -}}
{{- end -}}

{{- define "continuo.meilisearchSecretName" -}}
{{- if .Values.meilisearch.bundled -}}{{ include "continuo.secretName" . }}{{- else -}}{{ .Values.meilisearch.external.existingSecret | default (include "continuo.secretName" .) }}{{- end -}}
{{- end -}}

{{/* Addresses of all NATS servers, so that a client finds another one when one is away. */}}
{{- define "continuo.natsUrl" -}}
{{- if .Values.nats.bundled -}}
{{- $name := printf "%s-nats" (include "continuo.fullname" .) -}}
{{- $servers := list -}}
{{- range $index := until (int .Values.nats.replicas) -}}
{{- $servers = append $servers (printf "nats://%s-%d.%s-headless:4222" $name $index $name) -}}
{{- end -}}
{{- join "," $servers -}}
{{- else -}}
{{- required "nats.external.url is needed when nats.bundled is false" .Values.nats.external.url -}}
{{- end -}}
{{- end -}}

{{- define "continuo.natsReplicas" -}}
{{- if .Values.nats.bundled -}}{{ ternary 3 1 (ge (int .Values.nats.replicas) 3) }}{{- else -}}{{ .Values.nats.external.streamReplicas }}{{- end -}}
{{- end -}}

{{/* Where NATS tells of its streams, for the scaler. Host and port without scheme. */}}
{{- define "continuo.natsMonitoring" -}}
{{- if .Values.nats.bundled -}}
{{- printf "%s-nats-headless.%s.svc.%s:8222" (include "continuo.fullname" .) .Release.Namespace .Values.clusterDomain -}}
{{- else -}}
{{- .Values.nats.external.monitoringEndpoint -}}
{{- end -}}
{{- end -}}

{{- define "continuo.meilisearchUrl" -}}
{{- if .Values.meilisearch.bundled -}}
{{- printf "http://%s-meilisearch:7700" (include "continuo.fullname" .) -}}
{{- else -}}
{{- .Values.meilisearch.external.url -}}
{{- end -}}
{{- end -}}

{{/* What every container of ours may do: nothing but run. */}}
{{- define "continuo.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* Pods of one component apart from each other. dict: root, component, affinity, spread */}}
{{- define "continuo.placement" -}}
{{- if .affinity }}
affinity:
  {{- toYaml .affinity | nindent 2 }}
{{- else if ne .antiAffinity "off" }}
affinity:
  podAntiAffinity:
    {{- if eq .antiAffinity "required" }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "continuo.selector" . | nindent 12 }}
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "continuo.selector" . | nindent 14 }}
    {{- end }}
{{- end }}
{{- end -}}

{{/* A peer of a network policy: pods of these components of this release. dict: root, components */}}
{{- define "continuo.ours" -}}
podSelector:
  matchLabels:
    app.kubernetes.io/name: continuo
    app.kubernetes.io/instance: {{ .root.Release.Name }}
  matchExpressions:
    - { key: app.kubernetes.io/component, operator: In, values: {{ .components | toJson }} }
{{- end -}}

{{/* A value as text: Helm hands large whole numbers on as 2.6e+08. */}}
{{- define "continuo.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ printf "%.0f" . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end -}}

{{/* Nine tenths of a quantity of Kubernetes, in bytes: the rest is for the file system, and for what NATS keeps beside the messages. */}}
{{- define "continuo.maxFileStore" -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" . -}}
{{- $factors := dict "" 1.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 -}}
{{- mulf (float64 $number) (get $factors (trimPrefix $number .)) 0.9 | floor | printf "%.0f" -}}
{{- end -}}

{{/* Variables that come from secrets, and what a pod knows of itself. dict: root, name */}}
{{- define "continuo.environment" -}}
- name: CONTINUO_SECRET
  valueFrom: { secretKeyRef: { name: {{ include "continuo.secretName" .root }}, key: continuo-secret } }
- name: CONTINUO_SECRET_PREVIOUS
  valueFrom: { secretKeyRef: { name: {{ include "continuo.secretName" .root }}, key: continuo-secret-previous, optional: true } }
- name: DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ include "continuo.databaseSecretName" .root }}, key: database-url } }
- name: NATS_PASSWORD
  valueFrom: { secretKeyRef: { name: {{ include "continuo.natsSecretName" .root }}, key: nats-password, optional: {{ not .root.Values.nats.bundled }} } }
{{- with .root.Values.nats.external.files }}
{{- if and (not $.root.Values.nats.bundled) .existingSecret }}
{{- range $variable, $file := dict "NATS_CREDS_FILE" .credentials "NATS_TLS_CA_FILE" .ca "NATS_TLS_CERT_FILE" .certificate "NATS_TLS_KEY_FILE" .key }}
{{- if $file }}
- name: {{ $variable }}
  value: /etc/continuo-nats/{{ $file }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .root.Values.meilisearch.enabled (has .name (list "gateway" "library" "tools")) }}
- name: MEILI_KEY
  valueFrom: { secretKeyRef: { name: {{ include "continuo.meilisearchSecretName" .root }}, key: meilisearch-key } }
{{- end }}
{{- if and .root.Values.s3.existingSecret (has .name (list "gateway" "ingestion" "transcoding" "sonic" "tools" "backup")) }}
- name: S3_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ .root.Values.s3.existingSecret }}, key: access-key-id } }
- name: S3_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ .root.Values.s3.existingSecret }}, key: secret-access-key } }
{{- end }}
{{- if has .name (list "tools" "backup") }}
- name: ART_STORAGE
  value: {{ .root.Values.art.storage | quote }}
- name: S3_REGION
  value: {{ .root.Values.s3.region | quote }}
{{- end }}
{{- if eq .name "social" }}
- name: CONTINUO_ADMIN_PASSWORD
  {{- if .root.Values.administrator.existingSecret }}
  valueFrom: { secretKeyRef: { name: {{ .root.Values.administrator.existingSecret }}, key: password } }
- name: CONTINUO_ADMIN_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .root.Values.administrator.existingSecret }}, key: api-key, optional: true } }
  {{- else }}
  valueFrom: { secretKeyRef: { name: {{ include "continuo.secretName" .root }}, key: admin-password, optional: true } }
  {{- end }}
{{- end }}
{{- if eq .name "transcoding" }}
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
- name: TRANSCODE_HTTP_HOST
  value: 0.0.0.0
- name: TRANSCODE_HTTP_PORT
  value: '7800'
- name: TRANSCODE_ADVERTISED_URL
  value: http://$(POD_IP):7800
- name: TRANSCODE_CACHE
  value: /cache
{{- end }}
{{- end -}}

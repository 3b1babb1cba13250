{{/* Which services see the media: those that read or send files, and library, which looks whether the folder of a new catalog is there. */}}
{{- define "continuo.seesMedia" -}}
{{- if has . (list "gateway" "library" "ingestion" "transcoding" "sonic" "tools") }}true{{ end -}}
{{- end -}}

{{/* Whether gateways take backups: where all of their pods can mount the claim. dict: root, name */}}
{{- define "continuo.takesBackups" -}}
{{- $backup := .root.Values.backup -}}
{{- if and (eq .name "gateway") $backup.overHttp -}}
{{- if not $backup.enabled }}{{ fail "backup.overHttp needs backup.enabled; with backup.suspend no job takes any" }}{{ end -}}
{{- if not (or $backup.existingClaim (has "ReadWriteMany" $backup.accessModes)) }}{{ fail "backup.overHttp needs ReadWriteMany in backup.accessModes, or backup.existingClaim: gateways and the job mount the claim on several nodes" }}{{ end -}}
true
{{- end -}}
{{- end -}}

{{- define "continuo.dataClaim" -}}
{{- .Values.data.existingClaim | default (printf "%s-data" (include "continuo.fullname" .)) -}}
{{- end -}}

{{/* Mounts of one service. dict: root, name */}}
{{- define "continuo.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: data, mountPath: /data }
{{- if eq .name "transcoding" }}
- { name: cache, mountPath: /cache }
{{- end }}
{{- if include "continuo.takesBackups" . }}
- { name: backups, mountPath: /backups }
{{- end }}
{{- if include "continuo.seesMedia" .name }}
{{- range .root.Values.media }}
- name: media-{{ .name }}
  mountPath: {{ .mountPath }}
  # Only ingestion, and the gateway for uploads, ever write, and only where that is wanted.
  readOnly: {{ or (not (has $.name (list "gateway" "ingestion"))) (ne (.readOnly | toString) "false") }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Volumes of one service. dict: root, name */}}
{{- define "continuo.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
  {{- if .root.Values.data.enabled }}
  persistentVolumeClaim:
    claimName: {{ include "continuo.dataClaim" .root }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- if eq .name "transcoding" }}
- name: cache
  {{- if .root.Values.transcodeCache.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .root.Values.transcodeCache.existingClaim }}
  {{- else }}
  emptyDir:
    sizeLimit: {{ .root.Values.transcodeCache.size }}
  {{- end }}
{{- end }}
{{- if include "continuo.takesBackups" . }}
- name: backups
  persistentVolumeClaim:
    claimName: {{ .root.Values.backup.existingClaim | default (printf "%s-backups" (include "continuo.fullname" .root)) }}
{{- end }}
{{- if include "continuo.seesMedia" .name }}
{{- range .root.Values.media }}
- name: media-{{ .name }}
  {{- if .existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .existingClaim }}
  {{- else if .nfs }}
  nfs:
    {{- toYaml .nfs | nindent 4 }}
  {{- else if .hostPath }}
  hostPath:
    path: {{ .hostPath }}
    type: Directory
  {{- else }}
  {{- fail (printf "media volume %s needs existingClaim, nfs or hostPath" .name) }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Files for a NATS of one's own: where they are mounted. dict: root */}}
{{- define "continuo.natsFileMounts" -}}
{{- if and (not .root.Values.nats.bundled) .root.Values.nats.external.files.existingSecret }}
- { name: nats-files, mountPath: /etc/continuo-nats, readOnly: true }
{{- end }}
{{- end -}}

{{/* And where they come from. dict: root */}}
{{- define "continuo.natsFileVolumes" -}}
{{- if and (not .root.Values.nats.bundled) .root.Values.nats.external.files.existingSecret }}
- name: nats-files
  secret: { secretName: {{ .root.Values.nats.external.files.existingSecret }} }
{{- end }}
{{- end -}}

{{/* Variables from the ConfigMap that all processes of a cell share. */}}
{{- define "platformSettings" -}}
{{- range . }}
- { name: {{ . }}, valueFrom: { configMapKeyRef: { name: platform, key: {{ . }} } } }
{{- end }}
{{- end }}

{{/* A variable from a Secret: (list variable secret key). */}}
{{- define "secretVariable" -}}
- { name: {{ first . }}, valueFrom: { secretKeyRef: { name: {{ index . 1 }}, key: {{ last . }} } } }
{{- end }}

{{/*
The URL of a database: (list variable role password database). Kubernetes expands $(NAME). Passwords contain letters and
digits only, so they need no encoding.
*/}}
{{- define "databaseUrl" -}}
- name: {{ first . }}
  value: postgresql://{{ index . 1 }}:$({{ index . 2 }})@$(DATABASE_HOST)/{{ last . }}?$(DATABASE_OPTIONS)
{{- end }}

{{/* An administrator of the server, and the passwords of the roles of these processes: (dict "services" …). */}}
{{- define "administratorEnvironment" -}}
{{ include "secretVariable" (list "ADMIN_USER" "postgres-superuser" "username") }}
{{ include "secretVariable" (list "ADMIN_PASSWORD" "postgres-superuser" "password") }}
{{ include "databaseUrl" (list "ADMIN_DATABASE_URL" "$(ADMIN_USER)" "ADMIN_PASSWORD" "postgres") }}
{{- range $name, $process := .services }}
{{- with $process.database }}
{{- range .passwords }}
{{ include "secretVariable" (list (printf "DATABASE_PASSWORD_%s_%s" ($name | upper | replace "-" "_") .) (printf "%s-secrets" $name) (printf "DATABASE_PASSWORD_%s" .)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The environment of a process, without variables that the image sets: (list name process). */}}
{{- define "processEnvironment" -}}
{{- $name := first . }}
{{- $process := last . }}
{{- $secrets := printf "%s-secrets" $name }}
{{- $shared := list "ENVIRONMENT" "PUBLIC_BASE_URL" "SHARD" "HOME_SHARD" "LOCATION" "PRODUCT_NAME" "LOG_LEVEL" "UPSTREAM" "OTEL_EXPORTER_OTLP_ENDPOINT" }}
{{- if $process.global }}{{ $shared = append $shared "CELLS" }}{{ end }}
{{- if $process.usesBroker }}{{ $shared = append $shared "NATS_URL" }}{{ end }}
{{- if and $process.usesBroker $process.database }}{{ $shared = concat $shared (list "STREAM_REPLICAS" "STREAM_MAX_BYTES") }}{{ end }}
{{- if $process.database }}{{ $shared = concat $shared (list "DATABASE_HOST" "DATABASE_OPTIONS") }}{{ end }}
{{- include "platformSettings" $shared }}
- { name: HOST, value: 0.0.0.0 }
- { name: PORT, value: '8080' }
{{- if eq $name "gateway" }}
- { name: ADMIN_PORT, value: '9090' }
{{- end }}
{{- if $process.callsGateway }}
- { name: EDGE_URL, value: http://gateway }
{{- end }}
- { name: DRAIN_SECONDS, value: '5' }
- { name: SHUTDOWN_GRACE_SECONDS, value: '25' }
- { name: ASSERTION_KEY_FILE, value: /keys/assertion-key.json }
- { name: ASSERTION_KEYS_FILE, value: /assertion-keys/assertion-keys.json }
{{- if eq $name "audit" }}
- { name: AUDIT_SIGNING_KEY_FILE, value: /keys/audit-signing-keys.json }
{{- end }}
{{- if $process.usesBroker }}
- { name: NATS_USER, value: {{ $name }} }
{{ include "secretVariable" (list "NATS_PASSWORD" "nats-users" $name) }}
{{- end }}
{{- with $process.database }}
{{ include "secretVariable" (list "DATABASE_PASSWORD_APP" $secrets "DATABASE_PASSWORD_APP") }}
{{ include "secretVariable" (list "DATABASE_PASSWORD_WORKER" $secrets "DATABASE_PASSWORD_WORKER") }}
{{ include "databaseUrl" (list "DATABASE_URL" .app "DATABASE_PASSWORD_APP" .name) }}
{{ include "databaseUrl" (list "DATABASE_WORKER_URL" .worker "DATABASE_PASSWORD_WORKER" .name) }}
{{- end }}
{{- if $process.encrypts }}
{{ include "secretVariable" (list "KEK" $secrets "KEK") }}
- { name: KEK_PREVIOUS, valueFrom: { secretKeyRef: { name: {{ $secrets }}, key: KEK_PREVIOUS, optional: true } } }
{{- end }}
- { name: NODE_OPTIONS, value: --max-old-space-size={{ $process.heapLimit }} }
{{- end }}

{{/*
A container that creates the stream and the consumers of a process at the broker, which the process itself may not:
(list root container-name process-name process).
*/}}
{{- define "brokerPreparation" -}}
{{- $root := first . }}
name: {{ index . 1 }}
image: {{ include "image" $root }}
command:
  - node
  - infra/toolchain/broker.ts
{{- range $durable, $filter := (last .).consumers }}
  # Kubernetes expands the variable.
  - {{ $durable }}={{ $filter | replace "SHARD" "$(SHARD)" }}
{{- end }}
env:
  - { name: NATS_USER, value: migrator }
  {{- include "secretVariable" (list "NATS_PASSWORD" "nats-users" "migrator") | nindent 2 }}
  {{- include "platformSettings" (list "NATS_URL" "SHARD" "STREAM_REPLICAS" "STREAM_MAX_BYTES") | nindent 2 }}
envFrom:
  # ACK_WAIT_SECONDS, which the consumers have to agree on with the process
  - configMapRef: { name: {{ index . 2 }}-settings, optional: true }
{{ include "migratorResources" . }}
{{ include "containerSecurity" . }}
volumeMounts: {{- include "tmpMount" . | nindent 2 }}
{{- end }}

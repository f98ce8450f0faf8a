{{/* The content of services.yaml, with the processes of this cell only. */}}
{{- define "facts" -}}
{{- $facts := .Files.Get "services.yaml" | fromYaml }}
{{- if eq .Values.cell.kind "beside" }}
{{- range $name, $process := $facts.services }}
{{- if $process.global }}{{ $_ := unset $facts.services $name }}{{ end }}
{{- end }}
{{- end }}
{{- toYaml $facts }}
{{- end }}

{{/* The names of the processes with a database, as a JSON list. */}}
{{- define "databaseUsers" -}}
{{- $names := list }}
{{- range $name, $process := (include "facts" . | fromYaml).services }}
{{- if $process.database }}{{ $names = append $names $name }}{{ end }}
{{- end }}
{{- toJson $names }}
{{- end }}

{{/* Labels of an object: (list name component). The first is the selector of its pods and must not change. */}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ first . }}
app.kubernetes.io/part-of: workspace-platform
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "image" -}}
{{- with .Values.image }}
{{- $tag := .tag | default (ternary $.Chart.AppVersion "" (empty .digest)) }}
{{- .repository }}{{ with $tag }}:{{ . }}{{ end }}{{ with .digest }}@{{ . }}{{ end }}
{{- end }}
{{- end }}

{{/* A service account without a token: (list root name component). */}}
{{- define "serviceAccount" -}}
{{- $root := first . -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ index . 1 }}
  labels: {{- include "labels" (rest .) | nindent 4 }}
automountServiceAccountToken: false
{{- with $root.Values.image.pullSecret }}
imagePullSecrets: [{ name: {{ . }} }]
{{- end }}
{{- end }}

{{/* The security of a pod that runs as a user, and the nodes it may run on: (list root user). */}}
{{- define "podDefaults" -}}
{{- $user := last . }}
{{- with (first .).Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with (first .).Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $user }}
  runAsGroup: {{ $user }}
  fsGroup: {{ $user }}
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Required spread of the pods of a name: a volume stays in the zone in which its pod was first placed. */}}
{{- define "requiredSpread" -}}
topologySpreadConstraints:
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: DoNotSchedule
    labelSelector: { matchLabels: { app.kubernetes.io/name: {{ $ }} } }
{{- end }}
{{- end }}

{{/* An unready pod must not block the draining of a node. */}}
{{- define "disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ first . }}
  labels: {{- include "labels" . | nindent 4 }}
spec:
  selector: { matchLabels: { app.kubernetes.io/name: {{ first . }} } }
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
{{- end }}

{{/* Resources of init containers and jobs. */}}
{{- define "migratorResources" -}}
resources:
  requests: { cpu: 50m, memory: 128Mi }
  limits: { cpu: '1', memory: 256Mi }
{{- end }}

{{- define "tmpMount" -}}
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "tmpVolume" -}}
- { name: tmp, emptyDir: { sizeLimit: 1Gi } }
{{- end }}

{{- define "databaseMount" -}}
- { name: postgres-ca, mountPath: /postgres-ca, readOnly: true }
{{- end }}

{{/* Only the certificate of the operator's Secret, which also contains a private key. */}}
{{- define "databaseVolume" -}}
- name: postgres-ca
  secret: { secretName: postgres-ca, optional: true, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}

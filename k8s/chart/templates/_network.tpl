{{/* Peers of a network policy: the pods of these names in the namespace of the policy. */}}
{{- define "peers" -}}
{{- range . }}
- podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }} } }
{{- end }}
{{- end }}

{{/* The pods of these names in the namespaces of cells of a kind: (list kind names). */}}
{{- define "cellPeers" -}}
{{- range last . }}
- namespaceSelector: { matchLabels: { workspace-platform/cell: {{ first $ }} } }
  podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }} } }
{{- end }}
{{- end }}

{{/* A namespace in which a program of the operator runs: (list purpose value). */}}
{{- define "namespacePeer" -}}
- namespaceSelector: { matchLabels: { workspace-platform/{{ first . }}: {{ last . }} } }
{{- end }}

{{/* The DNS service, which has this label in clusters of kubeadm and of the cloud providers. */}}
{{- define "dnsEgress" -}}
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
      podSelector: { matchLabels: { k8s-app: kube-dns } }
  ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- end }}

{{/* The metadata and the pods of a policy. */}}
{{- define "policyOf" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: {{ . }} }
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: {{ . }} } }
{{- end }}

{{/* The policy of a job, which nothing calls. Connections to the database are in database.yaml. */}}
{{- define "jobPolicy" -}}
{{ include "policyOf" . }}
  policyTypes: [Ingress, Egress]
  egress: {{- include "dnsEgress" . | nindent 4 }}
{{- end }}

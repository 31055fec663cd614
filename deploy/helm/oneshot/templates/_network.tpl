{{/* A NetworkPolicy for a service, which allows only the listed connections. "ingress" and "egress" are YAML. */}}
{{- define "oneshot.networkPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    matchLabels: {{- include "oneshot.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- with .ingress }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- if and .scraped .root.Values.networkPolicy.prometheusPeers }}
    - from: {{- toYaml .root.Values.networkPolicy.prometheusPeers | nindent 8 }}
      ports:
        - {protocol: TCP, port: management}
    {{- end }}
  egress:
    {{- with .egress }}
    {{- . | nindent 4 }}
    {{- end }}
    - to: {{- toYaml .root.Values.networkPolicy.dnsPeers | nindent 8 }}
      ports:
        {{- range .root.Values.networkPolicy.dnsPorts }}
        - {protocol: UDP, port: {{ int . }}}
        - {protocol: TCP, port: {{ int . }}}
        {{- end }}
{{- end -}}

{{- define "oneshot.database.egress" -}}
{{- $peers := .Values.database.peers -}}
{{- if and .Values.cloudNativePg.enabled (not $peers) -}}
{{- $peers = list (dict "podSelector" (dict "matchLabels" (dict "cnpg.io/cluster" (include "oneshot.postgres.cluster" .)))) -}}
{{- end -}}
- ports:
    {{- range .Values.networkPolicy.databasePorts | default (list (include "oneshot.database.port" .)) }}
    - {protocol: TCP, port: {{ int . }}}
    {{- end }}
  {{- with $peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- define "oneshot.kafka.egress" -}}
{{- $peers := .Values.kafka.peers -}}
{{- if and .Values.strimzi.enabled (not $peers) -}}
{{- $peers = list (dict "podSelector" (dict "matchLabels" (dict "strimzi.io/cluster" (include "oneshot.kafka.cluster" .)))) -}}
{{- end -}}
- ports:
    {{- range .Values.networkPolicy.kafkaPorts | default (include "oneshot.kafka.ports" . | fromYamlArray) }}
    - {protocol: TCP, port: {{ int . }}}
    {{- end }}
  {{- with $peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- with include "oneshot.kafka.tokenEndpoint" . }}
- ports:
    - {protocol: TCP, port: {{ include "oneshot.urlPort" . }}}
  {{- with $.Values.kafka.sasl.oauthbearer.peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "oneshot.tracing.egress" -}}
{{- with .Values.tracing -}}
{{- if .endpoint -}}
- ports:
    {{- range $.Values.networkPolicy.tracingPorts | default (list (include "oneshot.urlPort" .endpoint)) }}
    - {protocol: TCP, port: {{ int . }}}
    {{- end }}
  {{- with .peers }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The port of a URL, or that of its scheme. */}}
{{- define "oneshot.urlPort" -}}
{{- $url := urlParse . -}}
{{- regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end -}}

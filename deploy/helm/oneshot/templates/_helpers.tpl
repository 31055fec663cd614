{{- define "oneshot.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The labels that select the pods of a service; they never change between releases. Takes (dict "root" $ "service" "api"). */}}
{{- define "oneshot.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | quote }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .service }}
{{- end -}}

{{- define "oneshot.labels" -}}
{{ include "oneshot.selector" . }}
app.kubernetes.io/part-of: oneshot
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "oneshot.name" -}}
{{ include "oneshot.fullname" .root }}-{{ .service }}
{{- end -}}

{{/* The image of a service, as deploy/images names it. */}}
{{- define "oneshot.image" -}}
{{- $images := dict "api" "api-service" "ingest" "smtp-ingest-service" "mailer" "outbound-mailer-service" "expiry" "expiry-service" -}}
{{- $own := (index .root.Values .service).imageTag -}}
{{ .root.Values.image.repository }}/oneshot-{{ index $images .service }}:{{ $own | default .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end -}}

{{- define "oneshot.secret.addressKeys" -}}
{{ .Values.secrets.addressKeys.existingSecret | default (printf "%s-address-keys" (include "oneshot.fullname" .)) }}
{{- end -}}

{{- define "oneshot.secret.apiKeySecrets" -}}
{{ .Values.secrets.apiKeySecrets.existingSecret | default (printf "%s-api-key-secrets" (include "oneshot.fullname" .)) }}
{{- end -}}

{{- define "oneshot.secret.operatorToken" -}}
{{ .Values.secrets.operatorToken.existingSecret | default (printf "%s-operator-token" (include "oneshot.fullname" .)) }}
{{- end -}}

{{- define "oneshot.secret.dkim" -}}
{{ .Values.relay.dkim.existingSecret | default (printf "%s-dkim" (include "oneshot.fullname" .)) }}
{{- end -}}

{{- define "oneshot.secret.smtpTls" -}}
{{ .Values.ingest.smtp.tls.secretName | default (printf "%s-smtp-tls" (include "oneshot.fullname" .)) }}
{{- end -}}

{{- define "oneshot.postgres.cluster" -}}
{{ include "oneshot.fullname" . }}-postgres
{{- end -}}

{{/* CloudNativePG writes the owner's credentials to a Secret of this name. */}}
{{- define "oneshot.secret.database" -}}
{{- if .Values.cloudNativePg.enabled -}}
{{ include "oneshot.postgres.cluster" . }}-app
{{- else -}}
{{ .Values.database.credentials.existingSecret }}
{{- end -}}
{{- end -}}

{{/* The Secret of the user oneshot_expiry; empty if expiry-service uses the owner. */}}
{{- define "oneshot.secret.expiryDatabase" -}}
{{- if .Values.cloudNativePg.enabled -}}
{{ include "oneshot.postgres.cluster" . }}-expiry
{{- else -}}
{{ .Values.database.expiryCredentials.existingSecret }}
{{- end -}}
{{- end -}}

{{- define "oneshot.database.url" -}}
{{- $hosts := splitList "," .Values.database.host -}}
{{- if .Values.cloudNativePg.enabled -}}
{{- $hosts = list (printf "%s-rw.%s.svc" (include "oneshot.postgres.cluster" .) .Release.Namespace) -}}
{{- end -}}
{{- $servers := list -}}
{{- range $hosts -}}
{{- $servers = append $servers (printf "%s:%s" . (include "oneshot.database.port" $)) -}}
{{- end -}}
{{- $parameters := without (splitList "&" .Values.database.parameters) "" -}}
{{- if include "oneshot.database.caSecret" . -}}
{{- $parameters = concat $parameters (list "sslmode=verify-full" "sslrootcert=/etc/oneshot/database-ca/ca.crt") -}}
{{- end -}}
{{- if .Values.database.tls.clientSecret -}}
{{- /* The driver derives the format of a key from the file extension; its algorithm must be set. */ -}}
{{- $parameters = concat $parameters (list "sslcert=/etc/oneshot/database-client/tls.crt" "sslkey=/etc/oneshot/database-client/tls.key" (printf "pemKeyAlgorithm=%s" .Values.database.tls.clientKeyAlgorithm)) -}}
{{- end -}}
jdbc:postgresql://{{ join "," $servers }}/{{ .Values.database.name }}{{ with $parameters }}?{{ join "&" . }}{{ end }}
{{- end -}}

{{/* CloudNativePG writes the CA of its servers to a Secret of this name; their certificates name its Services. */}}
{{- define "oneshot.database.caSecret" -}}
{{- if .Values.cloudNativePg.enabled -}}
{{ include "oneshot.postgres.cluster" . }}-ca
{{- else -}}
{{ .Values.database.tls.caSecret }}
{{- end -}}
{{- end -}}

{{- define "oneshot.database.caKey" -}}
{{- if .Values.cloudNativePg.enabled -}}ca.crt{{- else -}}{{ .Values.database.tls.caKey }}{{- end -}}
{{- end -}}

{{- define "oneshot.database.port" -}}
{{- if .Values.cloudNativePg.enabled -}}5432{{- else -}}{{ .Values.database.port }}{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.cluster" -}}
{{ include "oneshot.fullname" . }}-kafka
{{- end -}}

{{- define "oneshot.kafka.bootstrapServers" -}}
{{- if .Values.strimzi.enabled -}}
{{ include "oneshot.kafka.cluster" . }}-kafka-bootstrap.{{ .Release.Namespace }}.svc:9093
{{- else -}}
{{ .Values.kafka.bootstrapServers }}
{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.securityProtocol" -}}
{{- if .Values.strimzi.enabled -}}SASL_SSL{{- else -}}{{ .Values.kafka.securityProtocol }}{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.caSecret" -}}
{{- if .Values.strimzi.enabled -}}
{{ include "oneshot.kafka.cluster" . }}-cluster-ca-cert
{{- else -}}
{{ .Values.kafka.tls.caSecret }}
{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.caKey" -}}
{{- if .Values.strimzi.enabled -}}ca.crt{{- else -}}{{ .Values.kafka.tls.caKey }}{{- end -}}
{{- end -}}

{{/* The Secret with the JAAS line; with Strimzi each service has its own user. */}}
{{- define "oneshot.kafka.saslSecret" -}}
{{- if .root.Values.strimzi.enabled -}}
{{ include "oneshot.name" . }}
{{- else -}}
{{ .root.Values.kafka.sasl.existingSecret }}
{{- end -}}
{{- end -}}

{{/* The ports of the brokers, as a YAML list of numbers. */}}
{{- define "oneshot.kafka.ports" -}}
{{- $ports := list -}}
{{- range splitList "," (include "oneshot.kafka.bootstrapServers" .) -}}
{{- $ports = append $ports (regexFind "[0-9]+$" (trim .) | int) -}}
{{- end -}}
{{- uniq $ports | toYaml -}}
{{- end -}}

{{/*
Hooks run before the release's objects are created: a Job would wait for a cluster that this install or upgrade creates,
until its timeout.
*/}}
{{- define "oneshot.migration.byJob" -}}
{{- if not .Values.migration.enabled -}}
{{- else if not .Values.cloudNativePg.enabled -}}true
{{- else if lookup "postgresql.cnpg.io/v1" "Cluster" .Release.Namespace (include "oneshot.postgres.cluster" .) -}}true
{{- end -}}
{{- end -}}

{{/* How long a migration retries its locks; the rest of its time is for its statements. */}}
{{- define "oneshot.migration.lockPatience" -}}
{{ div (mul (int .Values.migration.timeoutSeconds) 2) 3 }}s
{{- end -}}

{{/* A value as text. Helm reads numbers as floats, and 10000000 must not become 1e+07. */}}
{{- define "oneshot.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}{{ printf "%.0f" . }}{{- else -}}{{ toString . }}{{- end -}}
{{- end -}}

{{/* The most replicas of a service, with any autoscaler. Takes (dict "root" $ "service" "api"). */}}
{{- define "oneshot.replicasMax" -}}
{{- $own := index .root.Values .service -}}
{{- if dig "keda" "enabled" false $own -}}{{ int $own.keda.maxReplicas }}
{{- else if $own.autoscaling.enabled -}}{{ int $own.autoscaling.maxReplicas }}
{{- else -}}{{ int $own.replicas }}{{- end -}}
{{- end -}}

{{/* The most connections to PostgreSQL: of all replicas, of one more of each service during upgrades, and 20 for operator, superuser and people. */}}
{{- define "oneshot.database.connections" -}}
{{- $each := int (get (.Values.api.config | default dict) "ONESHOT_DATABASE_CONNECTIONS" | default 20) -}}
{{- $api := add1 (int (include "oneshot.replicasMax" (dict "root" . "service" "api"))) -}}
{{- $expiry := add1 (int (include "oneshot.replicasMax" (dict "root" . "service" "expiry"))) -}}
{{- add (mul $api $each) (mul $expiry 20) 20 -}}
{{- end -}}

{{/* Cannot exceed the number of replicas. */}}
{{- define "oneshot.kafka.minInSyncReplicas" -}}
{{- min (int .Values.strimzi.minInSyncReplicas) (int .Values.strimzi.replicationFactor) -}}
{{- end -}}

{{/* Each change of the number of consumers is a rebalance, so scale down slowly. */}}
{{- define "oneshot.scalingBehavior" -}}
scaleDown:
  stabilizationWindowSeconds: 600
  policies:
    - type: Pods
      value: 1
      periodSeconds: 120
{{- end -}}

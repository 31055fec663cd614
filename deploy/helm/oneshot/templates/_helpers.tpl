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

{{/* The image of a service, as deploy/images names it. A digest needs no tag. */}}
{{- define "oneshot.image" -}}
{{- $images := dict "api" "api-service" "ingest" "smtp-ingest-service" "mailer" "outbound-mailer-service" "expiry" "expiry-service" -}}
{{- $own := (index .root.Values .service).imageTag -}}
{{- $digest := index .root.Values.image.digest .service -}}
{{- $version := printf ":%s" ($own | default .root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{ .root.Values.image.repository }}/oneshot-{{ index $images .service }}{{ ternary (printf "@%s" $digest) $version (not (empty $digest)) }}
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
{{- if .Values.database.expiryCredentials.existingSecret -}}
{{ .Values.database.expiryCredentials.existingSecret }}
{{- else if .Values.cloudNativePg.enabled -}}
{{ include "oneshot.postgres.cluster" . }}-expiry
{{- end -}}
{{- end -}}

{{/* The Secrets that the chart generates because the values name none, as a YAML list. */}}
{{- define "oneshot.generatedSecrets" -}}
{{- $s := .Values.secrets -}}
{{- $secrets := list -}}
{{- range $value := list "addressKeys" "apiKeySecrets" "operatorToken" -}}
{{- $own := index $s $value -}}
{{- if not $own.existingSecret -}}
{{- $secrets = append $secrets (dict "name" (include (printf "oneshot.secret.%s" $value) $) "key" $own.key "value" (printf "secrets.%s" $value)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.cloudNativePg.enabled (not .Values.database.expiryCredentials.existingSecret) -}}
{{- $secrets = append $secrets (dict "name" (include "oneshot.secret.expiryDatabase" .) "key" "password" "username" "oneshot_expiry" "value" "database.expiryCredentials") -}}
{{- end -}}
{{- toYaml $secrets -}}
{{- end -}}

{{/*
The data of a Secret, as JSON: of the existing one, or generated. Kept in the values for the rest of this render, so that
the Secret and the checksums of pods have the same. Takes (dict "root" $ "name" "…").
*/}}
{{- define "oneshot.secret.data" -}}
{{- $known := .root.Values.secretData | default dict -}}
{{- if not (hasKey $known .name) -}}
{{- $data := dig "data" dict (lookup "v1" "Secret" .root.Release.Namespace .name | default dict) -}}
{{- if not $data -}}
{{- range include "oneshot.generatedSecrets" .root | fromYamlArray -}}
{{- if eq .name $.name -}}
{{- /* 32 random bytes, in base64 for the services, and again in base64 for the Secret. */ -}}
{{- $data = dict .key (ternary (randAlphaNum 32) (randBytes 32) (hasKey . "username") | b64enc) -}}
{{- with .username -}}{{- $_ := set $data "username" (b64enc .) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $known = merge (dict .name ($data | default dict)) $known -}}
{{- $_ := set .root.Values "secretData" $known -}}
{{- end -}}
{{- index $known .name | toJson -}}
{{- end -}}

{{/* Whether templates can look up objects: not with "helm template", which Argo CD uses. A namespace may not exist before the install. */}}
{{- define "oneshot.clusterState" -}}
{{- if or (lookup "v1" "ServiceAccount" .Release.Namespace "default") (lookup "v1" "Namespace" "" "default") -}}true{{- end -}}
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
{{- with include "oneshot.database.caFile" . -}}
{{- $parameters = concat $parameters (list "sslmode=verify-full" (printf "sslrootcert=%s" .)) -}}
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

{{/* The CA that verifies PostgreSQL. Parameters of the user win over caBundle. */}}
{{- define "oneshot.database.caFile" -}}
{{- if include "oneshot.database.caSecret" . -}}/etc/oneshot/database-ca/ca.crt
{{- else if and .Values.caBundle (not (regexMatch "(^|&)ssl" .Values.database.parameters)) -}}/etc/oneshot/ca/ca.crt
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

{{- define "oneshot.kafka.caFile" -}}
{{- if not (hasSuffix "SSL" (include "oneshot.kafka.securityProtocol" .)) -}}
{{- else if include "oneshot.kafka.caSecret" . -}}/etc/oneshot/kafka-ca/ca.crt
{{- else if .Values.caBundle -}}/etc/oneshot/ca/ca.crt
{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.mechanism" -}}
{{ ternary "SCRAM-SHA-512" .Values.kafka.sasl.mechanism .Values.strimzi.enabled }}
{{- end -}}

{{/* The endpoint for tokens of OAUTHBEARER; empty with other mechanisms. */}}
{{- define "oneshot.kafka.tokenEndpoint" -}}
{{- if and (hasPrefix "SASL_" (include "oneshot.kafka.securityProtocol" .)) (eq "OAUTHBEARER" (include "oneshot.kafka.mechanism" .)) -}}
{{ .Values.kafka.sasl.oauthbearer.tokenEndpointUrl }}
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

{{/* A Kubernetes quantity in thousandths of its unit. */}}
{{- define "oneshot.quantity" -}}
{{- $text := include "oneshot.text" . -}}
{{- $factors := dict "m" 1 "" 1000 "k" 1e6 "M" 1e9 "G" 1e12 "T" 1e15 "P" 1e18 "E" 1e21 "K" 1e6 "Ki" 1024e3 "ki" 1024e3 "Mi" 1048576e3 "Gi" 1073741824e3 "Ti" 1099511627776e3 "Pi" 1125899906842624e3 "Ei" 1152921504606846976e3 -}}
{{- printf "%.0f" (mulf (regexFind "^[0-9]+([.][0-9]+)?" $text | float64) (get $factors (regexFind "[a-zA-Z]*$" $text) | float64)) -}}
{{- end -}}

{{/* A size as the JVM takes it, such as 512m, in thousandths of a byte. Takes the JVM option. */}}
{{- define "oneshot.jvmSize" -}}
{{- $factors := dict "" 1e3 "k" 1024e3 "m" 1048576e3 "g" 1073741824e3 "t" 1099511627776e3 -}}
{{- printf "%.0f" (mulf (regexFind "[0-9]+" (regexFind "[0-9]+[kKmMgGtT]?$" .) | float64) (get $factors (regexFind "[kKmMgGtT]?$" . | lower) | float64)) -}}
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

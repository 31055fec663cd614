{{/* Checks between values, which the schema cannot express. */}}
{{- define "oneshot.validate" -}}
{{- $v := .Values -}}
{{- if and $v.cloudNativePg.enabled (or $v.database.host $v.database.credentials.existingSecret) -}}
{{- fail "database.host and database.credentials.existingSecret are for your own PostgreSQL: leave both empty with cloudNativePg.enabled" -}}
{{- end -}}
{{- if and $v.cloudNativePg.enabled $v.database.expiryCredentials.existingSecret -}}
{{- fail "database.expiryCredentials.existingSecret is for your own PostgreSQL: leave it empty with cloudNativePg.enabled" -}}
{{- end -}}
{{- if and (not $v.cloudNativePg.enabled) (not (and $v.database.host $v.database.credentials.existingSecret)) -}}
{{- fail "no database: set database.host and database.credentials.existingSecret, or cloudNativePg.enabled=true" -}}
{{- end -}}
{{- if and $v.cloudNativePg.enabled (or $v.database.tls.caSecret $v.database.tls.clientSecret $v.database.tls.expiryClientSecret) -}}
{{- fail "database.tls is for your own PostgreSQL: leave its Secrets empty with cloudNativePg.enabled, whose CA is used automatically" -}}
{{- end -}}
{{- if and (or $v.database.tls.clientSecret $v.database.tls.expiryClientSecret) (not $v.database.tls.caSecret) -}}
{{- fail "database.tls.clientSecret needs database.tls.caSecret, which verifies the server that gets the certificate" -}}
{{- end -}}
{{- if and $v.database.tls.expiryClientSecret (not $v.database.tls.clientSecret) -}}
{{- fail "database.tls.expiryClientSecret needs database.tls.clientSecret, for the owner of the tables" -}}
{{- end -}}
{{- if and (include "oneshot.database.caSecret" .) (regexMatch "(^|&)ssl" $v.database.parameters) -}}
{{- fail "database.parameters must not say ssl… with database.tls.caSecret or cloudNativePg.enabled, as the chart sets these parameters" -}}
{{- end -}}
{{- if and $v.strimzi.enabled (or $v.kafka.tls.caSecret $v.kafka.tls.clientSecret) -}}
{{- fail "kafka.tls is for your own Kafka: leave its Secrets empty with strimzi.enabled" -}}
{{- end -}}
{{- if and (not $v.strimzi.enabled) (or $v.kafka.tls.caSecret $v.kafka.tls.clientSecret) (not (hasSuffix "SSL" $v.kafka.securityProtocol)) -}}
{{- fail (printf "kafka.tls.caSecret and kafka.tls.clientSecret need kafka.securityProtocol SSL or SASL_SSL, not %s" $v.kafka.securityProtocol) -}}
{{- end -}}
{{- if and $v.strimzi.enabled $v.kafka.bootstrapServers -}}
{{- fail "kafka.bootstrapServers is for your own Kafka: leave it empty with strimzi.enabled" -}}
{{- end -}}
{{- if and (not $v.strimzi.enabled) (not $v.kafka.bootstrapServers) -}}
{{- fail "no Kafka: set kafka.bootstrapServers, or strimzi.enabled=true" -}}
{{- end -}}
{{- if and (not $v.strimzi.enabled) (hasPrefix "SASL_" $v.kafka.securityProtocol) (not $v.kafka.sasl.existingSecret) -}}
{{- fail (printf "kafka.sasl.existingSecret is needed with kafka.securityProtocol=%s" $v.kafka.securityProtocol) -}}
{{- end -}}
{{- if and $v.strimzi.enabled (lt (add $v.strimzi.nodes $v.strimzi.brokers) (int64 $v.strimzi.replicationFactor)) -}}
{{- fail "strimzi.nodes and strimzi.brokers together must be at least strimzi.replicationFactor" -}}
{{- end -}}
{{- if $v.strimzi.enabled -}}
{{- $pool := lookup $v.strimzi.apiVersion "KafkaNodePool" .Release.Namespace (printf "%s-nodes" (include "oneshot.kafka.cluster" .)) -}}
{{- $nodes := dig "spec" "replicas" $v.strimzi.nodes ($pool | default dict) -}}
{{- if ne (int $nodes) (int $v.strimzi.nodes) -}}
{{- fail (printf "strimzi.nodes cannot change from %d to %d: they are controllers, whose number Strimzi cannot change; change strimzi.brokers" (int $nodes) (int $v.strimzi.nodes)) -}}
{{- end -}}
{{- end -}}
{{- if and $v.strimzi.enabled (ge (int $v.strimzi.minInSyncReplicas) (int $v.strimzi.replicationFactor)) (gt (int $v.strimzi.replicationFactor) 1) -}}
{{- fail "strimzi.minInSyncReplicas must be below strimzi.replicationFactor, or one unavailable broker stops all mail" -}}
{{- end -}}
{{- if and $v.cloudNativePg.enabled (ge (int $v.cloudNativePg.synchronousStandbys) (int $v.cloudNativePg.instances)) -}}
{{- fail "cloudNativePg.synchronousStandbys must be below cloudNativePg.instances" -}}
{{- end -}}
{{- if and $v.mailer.enabled (not $v.relay.host) -}}
{{- fail "no relay: set relay.host, or mailer.enabled=false" -}}
{{- end -}}
{{- if and $v.ingest.smtp.tls.enabled (not $v.ingest.smtp.tls.secretName) (not $v.certManager.enabled) -}}
{{- fail "no certificate for STARTTLS: set ingest.smtp.tls.secretName, or certManager.enabled=true" -}}
{{- end -}}
{{- if and $v.certManager.enabled (not $v.certManager.issuer) -}}
{{- fail "certManager.issuer is needed with certManager.enabled" -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.hosts) -}}
{{- fail "ingress.hosts is needed with ingress.enabled" -}}
{{- end -}}
{{- if and $v.gateway.enabled (not $v.gateway.parentRefs) -}}
{{- fail "gateway.parentRefs is needed with gateway.enabled" -}}
{{- end -}}
{{- range $service := list "api" "ingest" "mailer" "expiry" -}}
{{- $own := index $v $service -}}
{{- if and (dig "keda" "enabled" false $own) $own.autoscaling.enabled -}}
{{- fail (printf "%s.autoscaling.enabled and %s.keda.enabled would scale against each other: choose one" $service $service) -}}
{{- end -}}
{{- if and (dig "keda" "enabled" false $own) (gt (int (dig "keda" "minReplicas" 0 $own)) (int (dig "keda" "maxReplicas" 0 $own))) -}}
{{- fail (printf "%s.keda.minReplicas must not exceed maxReplicas" $service) -}}
{{- end -}}
{{- if and $own.autoscaling.enabled (gt (int $own.autoscaling.minReplicas) (int $own.autoscaling.maxReplicas)) -}}
{{- fail (printf "%s.autoscaling.minReplicas must not exceed maxReplicas" $service) -}}
{{- end -}}
{{- end -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" (include "oneshot.fullname" .)) -}}
{{- fail (printf "a Service cannot be named %s-api: names begin with a letter and have no dots; set fullnameOverride" (include "oneshot.fullname" .)) -}}
{{- end -}}
{{- if .Release.IsUpgrade -}}
{{- /* Under other names an upgrade would create all objects again, with new address keys and empty servers, and delete the old ones. */ -}}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items -}}
{{- $labels := .metadata.labels | default dict -}}
{{- if and (eq (get $labels "app.kubernetes.io/part-of") "oneshot") (eq (get $labels "app.kubernetes.io/instance") $.Release.Name) -}}
{{- $c := dict "root" $ "service" (get $labels "app.kubernetes.io/component") -}}
{{- if ne .metadata.name (include "oneshot.name" $c) -}}
{{- fail (printf "nameOverride and fullnameOverride cannot change after the install: the Deployment %s is there, and %s would be a second one with its own address keys" .metadata.name (include "oneshot.name" $c)) -}}
{{- end -}}
{{- if ne (get $labels "app.kubernetes.io/name") (default $.Chart.Name $v.nameOverride) -}}
{{- fail (printf "nameOverride cannot change after the install: it is in the selector of the Deployment %s, which Kubernetes never changes" .metadata.name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq (int $v.api.port) (int $v.api.managementPort) -}}
{{- fail "api.port and api.managementPort must differ" -}}
{{- end -}}
{{- if eq (int $v.ingest.smtp.containerPort) (int $v.ingest.managementPort) -}}
{{- fail "ingest.smtp.containerPort and ingest.managementPort must differ" -}}
{{- end -}}
{{- if and $v.mailer.enabled (eq $v.relay.tls "none") $v.relay.credentials.existingSecret -}}
{{- fail "relay.credentials.existingSecret with relay.tls=none would send the password in the clear: encrypt, or leave one out" -}}
{{- end -}}
{{- if $v.cloudNativePg.enabled -}}
{{- with get $v.cloudNativePg.parameters "max_connections" -}}
{{- $needed := int (include "oneshot.database.connections" $) -}}
{{- if lt (int .) $needed -}}
{{- fail (printf "cloudNativePg.parameters.max_connections is %d, but the most replicas of api and expiry open %d: leave it out, or lower their replicas or api.config.ONESHOT_DATABASE_CONNECTIONS" (int .) $needed) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $topics := list -}}
{{- range .Files.Get "files/topics.yaml" | fromYamlArray -}}
{{- $topics = append $topics .topic -}}
{{- end -}}
{{- range $topic, $partitions := $v.strimzi.partitionsByTopic -}}
{{- if not (has $topic $topics) -}}
{{- fail (printf "strimzi.partitionsByTopic names %s, which is none of %s" $topic (join ", " $topics)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Checks between values, which the schema cannot express. */}}
{{- define "oneshot.validate" -}}
{{- $v := .Values -}}
{{- if and $v.cloudNativePg.enabled (or $v.database.host $v.database.credentials.existingSecret) -}}
{{- fail "database.host and database.credentials.existingSecret are for your own PostgreSQL: leave both empty with cloudNativePg.enabled" -}}
{{- end -}}
{{- if and (not $v.cloudNativePg.enabled) (not (and $v.database.host $v.database.credentials.existingSecret)) -}}
{{- fail "no database: set database.host and database.credentials.existingSecret, or cloudNativePg.enabled=true" -}}
{{- end -}}
{{- if and $v.cloudNativePg.enabled (or $v.database.tls.caSecret $v.database.tls.clientSecret $v.database.tls.expiryClientSecret) -}}
{{- fail "database.tls is for your own PostgreSQL: leave its Secrets empty with cloudNativePg.enabled, whose CA is used automatically" -}}
{{- end -}}
{{- if and (or $v.database.tls.clientSecret $v.database.tls.expiryClientSecret) (not $v.database.tls.caSecret) (not $v.caBundle) -}}
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
{{- if and $v.kafka.sasl.existingSecret (not $v.strimzi.enabled) (not (hasPrefix "SASL_" $v.kafka.securityProtocol)) -}}
{{- fail (printf "kafka.sasl.existingSecret needs kafka.securityProtocol SASL_SSL or SASL_PLAINTEXT, not %s" $v.kafka.securityProtocol) -}}
{{- end -}}
{{- if and $v.strimzi.enabled (or $v.kafka.sasl.existingSecret $v.kafka.sasl.oauthbearer.tokenEndpointUrl) -}}
{{- fail "kafka.sasl is for your own Kafka: leave existingSecret and oauthbearer.tokenEndpointUrl empty with strimzi.enabled" -}}
{{- end -}}
{{- if ne (and (not $v.strimzi.enabled) (hasPrefix "SASL_" $v.kafka.securityProtocol) (eq $v.kafka.sasl.mechanism "OAUTHBEARER")) (not (empty $v.kafka.sasl.oauthbearer.tokenEndpointUrl)) -}}
{{- fail "kafka.sasl.oauthbearer.tokenEndpointUrl and kafka.sasl.mechanism=OAUTHBEARER need each other, and a SASL_… protocol" -}}
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
{{- if and $v.tracing.headers.existingSecret (not $v.tracing.endpoint) -}}
{{- fail "tracing.headers.existingSecret needs tracing.endpoint" -}}
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
{{- if and (dig "keda" "enabled" false $own) (gt (int (dig "keda" "minReplicas" 0 $own)) (int (dig "keda" "maxReplicas" 0 $own))) -}}
{{- fail (printf "%s.keda.minReplicas must not exceed maxReplicas" $service) -}}
{{- end -}}
{{- if and $own.autoscaling.enabled (gt (int $own.autoscaling.minReplicas) (int $own.autoscaling.maxReplicas)) -}}
{{- fail (printf "%s.autoscaling.minReplicas must not exceed maxReplicas" $service) -}}
{{- end -}}
{{- $resources := $own.resources | default dict -}}
{{- $cpu := merge (dict) ($resources.requests | default dict) ($resources.limits | default dict) -}}
{{- if and $own.autoscaling.enabled (not (get $cpu "cpu")) -}}
{{- fail (printf "%s.autoscaling.enabled needs %s.resources.requests.cpu, as its target is a share of the request" $service $service) -}}
{{- end -}}
{{- end -}}
{{- include "oneshot.validate.examples" . -}}
{{- include "oneshot.validate.resources" . -}}
{{- include "oneshot.validate.labels" . -}}
{{- include "oneshot.validate.workloads" . -}}
{{- include "oneshot.validate.network" . -}}
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

{{/* Values that are still the chart's examples, or names that no one else can resolve (RFC 6761). */}}
{{- define "oneshot.validate.examples" -}}
{{- $v := .Values -}}
{{- range $value, $domain := dict "receiveDomain" $v.receiveDomain "sendDomain" $v.sendDomain -}}
{{- if regexMatch "[.](localhost|invalid)$" $domain -}}
{{- fail (printf "%s is %s, an example that no mail server can resolve: set it to a domain of yours" $value $domain) -}}
{{- end -}}
{{- end -}}
{{- if regexMatch "^registry[.]example[.]com(:[0-9]+)?(/|$)" $v.image.repository -}}
{{- fail (printf "image.repository is %s, an example: set it to the registry with your images" $v.image.repository) -}}
{{- end -}}
{{- $domain := $v.ingest.smtp.postmaster | splitList "@" | last | lower -}}
{{- if has $domain (list $v.receiveDomain $v.sendDomain) -}}
{{- fail (printf "ingest.smtp.postmaster is in %s: mail that is relayed to it would come back; name a mailbox outside of receiveDomain and sendDomain" $domain) -}}
{{- end -}}
{{- range $value, $tag := dict "image.tag" $v.image.tag "api.imageTag" $v.api.imageTag "ingest.imageTag" $v.ingest.imageTag "mailer.imageTag" $v.mailer.imageTag "expiry.imageTag" $v.expiry.imageTag -}}
{{- if and $tag (not (regexMatch "^[a-zA-Z0-9_][-._a-zA-Z0-9]{0,127}(@sha256:[0-9a-f]{64})?$" $tag)) -}}
{{- fail (printf "%s is %s, which is no tag: for a digest, set image.digest of the service" $value $tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Requests must fit into limits, and a heap into the memory of its container. */}}
{{- define "oneshot.validate.resources" -}}
{{- $v := .Values -}}
{{- range $name := list "api" "ingest" "mailer" "expiry" "migration" "test" "strimzi" "cloudNativePg" -}}
{{- $resources := (index $v $name).resources | default dict -}}
{{- $limits := $resources.limits | default dict -}}
{{- range $amount, $request := $resources.requests -}}
{{- $limit := get $limits $amount -}}
{{- if $limit -}}
{{- if gt (include "oneshot.quantity" $request | float64) (include "oneshot.quantity" $limit | float64) -}}
{{- fail (printf "%s.resources.requests.%s %v is above %s.resources.limits.%s %v" $name $amount $request $name $amount $limit) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $options := (index $v $name).javaOptions | default "" -}}
{{- $heap := regexFindAll "(-Xmx|-XX:MaxHeapSize=)[0-9]+[kKmMgGtT]?" $options -1 | last | default "" -}}
{{- with get $limits "memory" -}}
{{- range $option := list $heap (regexFindAll "(-Xms|-XX:InitialHeapSize=)[0-9]+[kKmMgGtT]?" $options -1 | last | default "") -}}
{{- if $option -}}
{{- if ge (include "oneshot.jvmSize" $option | float64) (include "oneshot.quantity" (get $limits "memory") | float64) -}}
{{- fail (printf "%s.javaOptions has %s, which is not below %s.resources.limits.memory %v: a container needs memory beyond its heap" $name $option $name (get $limits "memory")) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $initial := regexFindAll "(-Xms|-XX:InitialHeapSize=)[0-9]+[kKmMgGtT]?" $options -1 | last | default "" -}}
{{- if and $heap $initial -}}
{{- if gt (include "oneshot.jvmSize" $initial | float64) (include "oneshot.jvmSize" $heap | float64) -}}
{{- fail (printf "%s.javaOptions has %s, which is above %s" $name $initial $heap) -}}
{{- end -}}
{{- end -}}
{{- $share := regexFindAll "MaxRAMPercentage=[0-9.]+" $options -1 | last | default "" | trimPrefix "MaxRAMPercentage=" -}}
{{- if ge (float64 $share) 100.0 -}}
{{- fail (printf "%s.javaOptions has MaxRAMPercentage=%s: a container needs memory beyond its heap" $name $share) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A second value of a label would replace the first, and then no selector fits. */}}
{{- define "oneshot.validate.labels" -}}
{{- $v := .Values -}}
{{- $selecting := list "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" -}}
{{- $own := concat $selecting (list "app.kubernetes.io/part-of" "app.kubernetes.io/version" "app.kubernetes.io/managed-by" "helm.sh/chart") -}}
{{- $labels := dict "commonLabels" $v.commonLabels "monitoring.labels" $v.monitoring.labels -}}
{{- range $name := list "api" "ingest" "mailer" "expiry" "migration" -}}
{{- $_ := set $labels (printf "%s.podLabels" $name) (index $v $name).podLabels -}}
{{- end -}}
{{- range $value, $given := $labels -}}
{{- range $label, $_ := $given -}}
{{- if has $label (ternary $selecting $own (hasSuffix "podLabels" $value)) -}}
{{- fail (printf "%s sets %s, a label of the chart by which objects are selected: leave it out" $value $label) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $label, $_ := $v.monitoring.labels -}}
{{- if hasKey ($v.commonLabels | default dict) $label -}}
{{- fail (printf "commonLabels and monitoring.labels both set %s: leave one out" $label) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "api" "ingest" "mailer" "expiry" -}}
{{- range $annotation := list "checksum/config" "checksum/secrets" -}}
{{- if hasKey ((index $v $name).podAnnotations | default dict) $annotation -}}
{{- fail (printf "%s.podAnnotations sets %s, by which the chart replaces pods: leave it out" $name $annotation) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Names that the chart uses in pods itself, and names that are given twice. */}}
{{- define "oneshot.validate.workloads" -}}
{{- $v := .Values -}}
{{- range $name := list "api" "ingest" "mailer" "expiry" "migration" -}}
{{- $own := index $v $name -}}
{{- $containers := list $name -}}
{{- range $own.extraContainers -}}
{{- $containers = append $containers .name -}}
{{- end -}}
{{- $taken := dict
      "extraVolumes" (list "tmp" "ca" "jvm" "database-ca" "database-client" "kafka-ca" "kafka-client" "smtp-tls" "relay-ca" "dkim")
      "extraVolumeMounts" (list "/tmp" "/etc/oneshot/ca" "/etc/oneshot/jvm" "/etc/oneshot/database-ca" "/etc/oneshot/database-client" "/etc/oneshot/kafka-ca" "/etc/oneshot/kafka-client" "/etc/oneshot/tls" "/etc/oneshot/relay" "/etc/oneshot/dkim")
      "extraContainers" (list $name)
      "initContainers" $containers
      "extraEnv" list -}}
{{- range $value, $names := $taken -}}
{{- range $item := index $own $value -}}
{{- $given := get $item (ternary "mountPath" "name" (eq $value "extraVolumeMounts")) | toString -}}
{{- if has (ternary (trimSuffix "/" $given) $given (eq $value "extraVolumeMounts")) $names -}}
{{- fail (printf "%s.%s has %s, which is in the pod already" $name $value $given) -}}
{{- end -}}
{{- $names = append $names $given -}}
{{- end -}}
{{- end -}}
{{- $strategy := dig "strategy" "type" "RollingUpdate" $own -}}
{{- if not (has $strategy (list "RollingUpdate" "Recreate")) -}}
{{- fail (printf "%s.strategy.type is %s: it must be RollingUpdate or Recreate" $name $strategy) -}}
{{- end -}}
{{- $volumes := list "tmp" "ca" "jvm" -}}
{{- range $own.extraVolumes -}}
{{- $volumes = append $volumes .name -}}
{{- end -}}
{{- range $own.extraVolumeMounts -}}
{{- if not (has .name $volumes) -}}
{{- fail (printf "%s.extraVolumeMounts mounts %s, which %s.extraVolumes does not have" $name .name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $own := $v.migration.extraEnv -}}
{{- if or (has .name (list "ONESHOT_MIGRATION_ONLY" "ONESHOT_MIGRATION_LOCK_PATIENCE" "ONESHOT_ADDRESS_KEYS" "ONESHOT_API_KEY_SECRETS" "QUARKUS_LOG_CONSOLE_JSON_ENABLED")) (hasPrefix "ONESHOT_DATABASE_" .name) -}}
{{- fail (printf "migration.extraEnv sets %s, which the chart sets from its other values" .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Services and policies. */}}
{{- define "oneshot.validate.network" -}}
{{- $v := .Values -}}
{{- range $name := list "api" "ingest" -}}
{{- $service := (index $v $name).service -}}
{{- if and (ne $service.type "LoadBalancer") (or $service.loadBalancerClass $service.loadBalancerSourceRanges) -}}
{{- fail (printf "%s.service.loadBalancerClass and loadBalancerSourceRanges need %s.service.type=LoadBalancer, not %s" $name $name $service.type) -}}
{{- end -}}
{{- if and (gt (len $service.ipFamilies) 1) (not (hasSuffix "DualStack" $service.ipFamilyPolicy)) -}}
{{- fail (printf "%s.service.ipFamilies has two families: set %s.service.ipFamilyPolicy to PreferDualStack or RequireDualStack" $name $name) -}}
{{- end -}}
{{- if and (or (has "IPv6" $service.ipFamilies) (hasSuffix "DualStack" $service.ipFamilyPolicy)) (ne $v.bindAddress "::") -}}
{{- fail (printf "%s.service.ipFamilies or ipFamilyPolicy asks for IPv6: set bindAddress to \"::\", or pods listen on IPv4 only" $name) -}}
{{- end -}}
{{- end -}}
{{- if and $v.monitoring.podMonitor $v.networkPolicy.enabled (not $v.networkPolicy.prometheusPeers) -}}
{{- fail "monitoring.podMonitor needs networkPolicy.prometheusPeers, or the NetworkPolicies block Prometheus" -}}
{{- end -}}
{{- end -}}

{{/* The parts that the four services share. Each takes (dict "root" $ "service" "api" …). */}}

{{- define "oneshot.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
  {{- with (index .root.Values .service).serviceAccountAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{/* "environment" is a dict of this service's variables. */}}
{{- define "oneshot.configMap" -}}
{{- $own := index .root.Values .service -}}
{{- $environment := dict
      "ONESHOT_MANAGEMENT_HOST" .root.Values.bindAddress
      "ONESHOT_MANAGEMENT_PORT" (toString $own.managementPort)
      "QUARKUS_LOG_LEVEL" .root.Values.logging.level
      "QUARKUS_LOG_CONSOLE_JSON_ENABLED" (toString .root.Values.logging.json) -}}
{{- /* Mounted as a file of arguments: of JDK_JAVA_OPTIONS the JVM writes a line that is not JSON. */ -}}
{{- $_ := set $environment "JVM_OPTIONS" ($own.javaOptions | default "") -}}
{{- $environment = mergeOverwrite $environment .environment -}}
{{- $config := $own.config | default dict -}}
{{- range $name, $value := $config -}}
{{- /* A variable that the chart sets would contradict its other values, and one from a Secret would silently win. Logging may differ by service. */ -}}
{{- if or (and (hasKey $environment $name) (not (hasPrefix "QUARKUS_LOG_" $name))) (contains (printf "name: %s\n" $name) ($.secretEnvironment | default "")) -}}
{{- fail (printf "%s.config.%s is set by the chart itself, from its other values" $.service $name) -}}
{{- end -}}
{{- end -}}
{{- $environment = mergeOverwrite $environment $config -}}
{{- with include "oneshot.kafka.tokenEndpoint" .root -}}
{{- if hasKey $environment "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL" -}}
{{- /* Kafka's clients ask only endpoints that this property allows. */ -}}
{{- $_ := set $environment "JVM_OPTIONS" (printf "%s -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=%s" (get $environment "JVM_OPTIONS") . | trim) -}}
{{- end -}}
{{- end -}}
{{- range $own.extraEnv -}}
{{- if or (and (hasKey $environment .name) (not (hasPrefix "QUARKUS_LOG_" .name))) (contains (printf "name: %s\n" .name) ($.secretEnvironment | default "")) -}}
{{- fail (printf "%s.extraEnv sets %s, which the chart sets from its other values or from %s.config" $.service .name $.service) -}}
{{- end -}}
{{- end -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
data:
  {{- range $name, $value := $environment }}
  {{ $name }}: {{ include "oneshot.text" $value | quote }}
  {{- end }}
{{- end -}}

{{/* Without ports the Service has the management port only. "options" are values for its type, or for its annotations alone. */}}
{{- define "oneshot.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
  {{- with .options.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "oneshot.serviceOptions" .options | nindent 2 }}
  selector: {{- include "oneshot.selector" . | nindent 4 }}
  ports:
    - name: {{ .port }}
      port: {{ .number }}
      targetPort: {{ .port }}
      protocol: TCP
      {{- if and .options.nodePort (ne .options.type "ClusterIP") }}
      nodePort: {{ .options.nodePort }}
      {{- end }}
{{- end -}}

{{/* The type of a Service and what depends on it, from its values. */}}
{{- define "oneshot.serviceOptions" -}}
{{- $type := .type | default "ClusterIP" -}}
type: {{ $type }}
{{- with .ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .ipFamilies }}
ipFamilies: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne $type "ClusterIP" }}
externalTrafficPolicy: {{ .externalTrafficPolicy }}
{{- end }}
{{- if eq $type "LoadBalancer" }}
{{- with .loadBalancerClass }}
loadBalancerClass: {{ . }}
{{- end }}
{{- with .loadBalancerSourceRanges }}
loadBalancerSourceRanges: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "oneshot.podDisruptionBudget" -}}
{{- $own := index .root.Values .service -}}
{{- if $own.podDisruptionBudget.enabled -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ $own.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready serves no requests: its eviction must not wait for its recovery.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "oneshot.selector" . | nindent 6 }}
{{- end -}}
{{- end -}}

{{- define "oneshot.horizontalPodAutoscaler" -}}
{{- $own := index .root.Values .service -}}
{{- /* KEDA creates its own HorizontalPodAutoscaler, with CPU as a second trigger: two would scale against each other. */ -}}
{{- if and $own.autoscaling.enabled (not (dig "keda" "enabled" false $own)) -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "oneshot.name" . }}
  minReplicas: {{ $own.autoscaling.minReplicas }}
  maxReplicas: {{ $own.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $own.autoscaling.targetCpuPercent }}
  behavior: {{- include "oneshot.scalingBehavior" . | nindent 4 }}
{{- end -}}
{{- end -}}

{{/* The lowest port of a service if it is below 1024, where a process without rights cannot listen by default. */}}
{{- define "oneshot.lowPort" -}}
{{- $own := index .root.Values .service -}}
{{- $port := min ($own.port | default 65535) ($own.managementPort | default 65535) (dig "smtp" "containerPort" 65535 $own) -}}
{{- if lt $port 1024 -}}{{ $port }}{{- end -}}
{{- end -}}

{{/* The containers' settings of the restricted Pod Security Standard. */}}
{{- define "oneshot.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
  {{- if include "oneshot.lowPort" . }}
  add: [NET_BIND_SERVICE]
  {{- end }}
{{- end -}}

{{- define "oneshot.podSecurity" -}}
runAsNonRoot: true
{{- with .root.Values.userId }}
runAsUser: {{ int . }}
runAsGroup: {{ int . }}
fsGroup: {{ int . }}
{{- end }}
seccompProfile:
  type: RuntimeDefault
{{- with include "oneshot.lowPort" . }}
sysctls:
  # A non-root process gets no capability, but this safe sysctl applies to it.
  - name: net.ipv4.ip_unprivileged_port_start
    value: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Fields of a pod from the values of its workload. */}}
{{- define "oneshot.podOptions" -}}
{{- $own := index .root.Values .service -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with $own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- range $field := list "initContainers" "dnsConfig" "hostAliases" "nodeSelector" "tolerations" "affinity" }}
{{- with index $own $field }}
{{ $field }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The volumes of a pod, and with "mounts" their mounts. "volumes" and "volumeMounts" are YAML; "caConfigMap" has caBundle. */}}
{{- define "oneshot.volumes" -}}
{{- $own := index .root.Values .service -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- with .volumes }}
{{ . }}
{{- end }}
{{- if .root.Values.caBundle }}
- name: ca
  configMap:
    name: {{ .caConfigMap | default (printf "%s-ca" (include "oneshot.fullname" .root)) }}
{{- end }}
{{- if hasKey . "environment" }}
- name: jvm
  configMap:
    name: {{ include "oneshot.name" . }}
    items:
      - key: JVM_OPTIONS
        path: options
{{- end }}
{{- with $own.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "oneshot.volumeMounts" -}}
{{- $own := index .root.Values .service -}}
- name: tmp
  mountPath: /tmp
{{- with .volumeMounts }}
{{ . }}
{{- end }}
{{- if .root.Values.caBundle }}
- name: ca
  mountPath: /etc/oneshot/ca
  readOnly: true
{{- end }}
{{- if hasKey . "environment" }}
- name: jvm
  mountPath: /etc/oneshot/jvm
  readOnly: true
{{- end }}
{{- with $own.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* A checksum of the Secrets that a pod reads at its start only. It reads certificates of PostgreSQL and of STARTTLS again. */}}
{{- define "oneshot.secretsChecksum" -}}
{{- $own := index .root.Values .service -}}
{{- $names := list -}}
{{- range concat (.secretEnvironment | default "[]" | fromYamlArray) ($own.extraEnv | default list) -}}
{{- $names = append $names (dig "valueFrom" "secretKeyRef" "name" "" .) -}}
{{- end -}}
{{- range $own.extraEnvFrom -}}
{{- $names = append $names (dig "secretRef" "name" "" .) -}}
{{- end -}}
{{- range concat (.volumes | default "[]" | fromYamlArray) ($own.extraVolumes | default list) -}}
{{- if not (has .name (list "smtp-tls" "database-ca" "database-client")) -}}
{{- $names = append $names (dig "secret" "secretName" "" .) -}}
{{- end -}}
{{- end -}}
{{- $data := dict -}}
{{- range without ($names | uniq) "" -}}
{{- $_ := set $data . (include "oneshot.secret.data" (dict "root" $.root "name" .)) -}}
{{- end -}}
{{- toJson $data | sha256sum -}}
{{- end -}}

{{/* "ports", "secretEnvironment", "volumeMounts" and "volumes" are YAML of this service; "waitsItself" says that the service
itself waits preStopSeconds after SIGTERM; "startSeconds" is the longest time to start; "drains" is the number of consecutive
drains, each of at most drainSeconds. */}}
{{- define "oneshot.deployment" -}}
{{- $own := index .root.Values .service -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "oneshot.name" . }}
  labels: {{- include "oneshot.labels" . | nindent 4 }}
  {{- with $own.deploymentAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # A pod that still starts is no failure of the rollout, and pulling its image takes time.
  progressDeadlineSeconds: {{ add 600 (.startSeconds | default 120) }}
  {{- if not (or $own.autoscaling.enabled (dig "keda" "enabled" false $own)) }}
  replicas: {{ $own.replicas }}
  {{- else }}
  {{- /* Without it, an upgrade that turns scaling on would start with one replica, Kubernetes's default. */}}
  {{- with lookup "apps/v1" "Deployment" .root.Release.Namespace (include "oneshot.name" .) }}
  replicas: {{ int .spec.replicas }}
  {{- end }}
  {{- end }}
  selector:
    matchLabels: {{- include "oneshot.selector" . | nindent 6 }}
  strategy: {{- toYaml ($own.strategy | default (dict "type" "RollingUpdate" "rollingUpdate" (dict "maxSurge" 1 "maxUnavailable" 0))) | nindent 4 }}
  template:
    metadata:
      labels:
        {{- include "oneshot.selector" . | nindent 8 }}
        {{- with $own.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ printf "%s%s" (include "oneshot.configMap" .) .root.Values.caBundle | sha256sum }}
        checksum/secrets: {{ include "oneshot.secretsChecksum" . }}
        {{- /* Without it, the cluster autoscaler would keep each node because of an emptyDir. */}}
        {{- $annotations := dict "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes" "tmp" }}
        {{- toYaml (mergeOverwrite $annotations ($own.podAnnotations | default dict)) | nindent 8 }}
    spec:
      serviceAccountName: {{ include "oneshot.name" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      {{- include "oneshot.podOptions" . | nindent 6 }}
      securityContext: {{- include "oneshot.podSecurity" . | nindent 8 }}
      # The drain timeouts of the service, and 15 seconds to close its connections.
      terminationGracePeriodSeconds: {{ add $own.preStopSeconds (mul $own.drainSeconds (.drains | default 1)) 15 }}
      containers:
        - name: {{ .service }}
          image: {{ include "oneshot.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext: {{- include "oneshot.containerSecurity" . | nindent 12 }}
          ports:
            {{- with .ports }}
            {{- . | nindent 12 }}
            {{- end }}
            - name: management
              containerPort: {{ $own.managementPort }}
              protocol: TCP
          envFrom:
            {{- /* The last one wins: the chart's own. */}}
            {{- with $own.extraEnvFrom }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            - configMapRef:
                name: {{ include "oneshot.name" . }}
          {{- if or .secretEnvironment $own.extraEnv }}
          env:
            {{- with .secretEnvironment }}
            {{- . | nindent 12 }}
            {{- end }}
            {{- with $own.extraEnv }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- end }}
          startupProbe:
            httpGet: {path: /q/health/started, port: management}
            periodSeconds: 1
            timeoutSeconds: 2
            failureThreshold: {{ .startSeconds | default 120 }}
          livenessProbe:
            httpGet: {path: /q/health/live, port: management}
            periodSeconds: 10
            timeoutSeconds: 3
            failureThreshold: 6
          readinessProbe:
            httpGet: {path: /q/health/ready, port: management}
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 2
          {{- if and (gt (int $own.preStopSeconds) 0) (not .waitsItself) }}
          lifecycle:
            preStop:
              sleep:
                seconds: {{ $own.preStopSeconds }}
          {{- end }}
          resources: {{- toYaml $own.resources | nindent 12 }}
          volumeMounts: {{- include "oneshot.volumeMounts" . | nindent 12 }}
        {{- with $own.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes: {{- include "oneshot.volumes" . | nindent 8 }}
      topologySpreadConstraints:
        {{- range $own.topologySpreadConstraints }}
        - {{- toYaml (ternary . (merge (dict "labelSelector" (dict "matchLabels" (include "oneshot.selector" $ | fromYaml))) .) (hasKey . "labelSelector")) | nindent 10 }}
        {{- else }}
        {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ $key }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "oneshot.selector" $ | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
        {{- end }}
{{- end -}}

{{/* ---- Connections to PostgreSQL and Kafka ---- */}}

{{- define "oneshot.database.secretEnvironment" -}}
{{- $credentials := .Values.database.credentials -}}
- name: ONESHOT_DATABASE_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ include "oneshot.secret.database" . }}
      key: {{ ternary "username" $credentials.usernameKey .Values.cloudNativePg.enabled }}
- name: ONESHOT_DATABASE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "oneshot.secret.database" . }}
      key: {{ ternary "password" $credentials.passwordKey .Values.cloudNativePg.enabled }}
{{- end -}}

{{- define "oneshot.database.expirySecretEnvironment" -}}
{{- $secret := include "oneshot.secret.expiryDatabase" . -}}
{{- $credentials := .Values.database.expiryCredentials -}}
{{- if $secret -}}
- name: ONESHOT_DATABASE_USERNAME
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ ternary "username" $credentials.usernameKey .Values.cloudNativePg.enabled }}
- name: ONESHOT_DATABASE_PASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ $secret }}
      key: {{ ternary "password" $credentials.passwordKey .Values.cloudNativePg.enabled }}
{{- else -}}
{{- include "oneshot.database.secretEnvironment" . -}}
{{- end -}}
{{- end -}}

{{/* Properties of every Kafka client: kafka.security.protocol. As YAML, to be read by fromYaml. */}}
{{- define "oneshot.kafka.environment" -}}
{{- $protocol := include "oneshot.kafka.securityProtocol" . -}}
KAFKA_BOOTSTRAP_SERVERS: {{ include "oneshot.kafka.bootstrapServers" . | quote }}
{{- if ne $protocol "PLAINTEXT" }}
KAFKA_SECURITY_PROTOCOL: {{ $protocol }}
{{- end }}
{{- if hasPrefix "SASL_" $protocol }}
KAFKA_SASL_MECHANISM: {{ include "oneshot.kafka.mechanism" . }}
{{- end }}
{{- with include "oneshot.kafka.tokenEndpoint" . }}
KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: {{ . | quote }}
KAFKA_SASL_LOGIN_CALLBACK_HANDLER_CLASS: org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler
{{- end }}
{{- with include "oneshot.kafka.caFile" . }}
KAFKA_SSL_TRUSTSTORE_TYPE: PEM
KAFKA_SSL_TRUSTSTORE_LOCATION: {{ . }}
{{- end }}
{{- if .Values.kafka.tls.clientSecret }}
# Kafka's clients take key and certificate from one file or from settings. This provider reads the settings from files. The backslash
# keeps Quarkus from expanding the references.
KAFKA_CONFIG_PROVIDERS: directory
KAFKA_CONFIG_PROVIDERS_DIRECTORY_CLASS: org.apache.kafka.common.config.provider.DirectoryConfigProvider
KAFKA_SSL_KEYSTORE_TYPE: PEM
KAFKA_SSL_KEYSTORE_CERTIFICATE_CHAIN: '\${directory:/etc/oneshot/kafka-client:tls.crt}'
KAFKA_SSL_KEYSTORE_KEY: '\${directory:/etc/oneshot/kafka-client:tls.key}'
{{- end }}
{{- end -}}

{{- define "oneshot.kafka.secretEnvironment" -}}
{{- if hasPrefix "SASL_" (include "oneshot.kafka.securityProtocol" .root) -}}
- name: KAFKA_SASL_JAAS_CONFIG
  valueFrom:
    secretKeyRef:
      name: {{ include "oneshot.kafka.saslSecret" . }}
      key: {{ ternary "sasl.jaas.config" .root.Values.kafka.sasl.jaasConfigKey .root.Values.strimzi.enabled }}
{{- end -}}
{{- end -}}

{{- define "oneshot.kafka.volumeMounts" -}}
{{- if and (hasSuffix "SSL" (include "oneshot.kafka.securityProtocol" .)) (include "oneshot.kafka.caSecret" .) }}
- name: kafka-ca
  mountPath: /etc/oneshot/kafka-ca
  readOnly: true
{{- end }}
{{- if .Values.kafka.tls.clientSecret }}
- name: kafka-client
  mountPath: /etc/oneshot/kafka-client
  readOnly: true
{{- end }}
{{- end -}}

{{- define "oneshot.kafka.volumes" -}}
{{- if and (hasSuffix "SSL" (include "oneshot.kafka.securityProtocol" .)) (include "oneshot.kafka.caSecret" .) }}
{{ include "oneshot.caVolume" (dict "name" "kafka-ca" "secret" (include "oneshot.kafka.caSecret" .) "key" (include "oneshot.kafka.caKey" .)) }}
{{- end }}
{{- with .Values.kafka.tls }}
{{- if .clientSecret }}
{{ include "oneshot.clientVolume" (dict "name" "kafka-client" "secret" .clientSecret "tls" .) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where spans go, and which. As YAML, to be read by fromYaml. */}}
{{- define "oneshot.tracing.environment" -}}
{{- with .Values.tracing -}}
{{- if .endpoint -}}
ONESHOT_TRACING_ENDPOINT: {{ .endpoint | quote }}
ONESHOT_TRACING_PROTOCOL: {{ .protocol }}
ONESHOT_TRACING_SAMPLER: {{ .sampler }}
ONESHOT_TRACING_RATIO: {{ toString .ratio | quote }}
{{- if and $.Values.caBundle (hasPrefix "https:" .endpoint) }}
QUARKUS_OTEL_EXPORTER_OTLP_TRACES_TLS_CONFIGURATION_NAME: tracing
QUARKUS_TLS__TRACING__TRUST_STORE_PEM_CERTS: /etc/oneshot/ca/ca.crt
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "oneshot.tracing.secretEnvironment" -}}
{{- with .Values.tracing -}}
{{- if and .endpoint .headers.existingSecret -}}
- name: ONESHOT_TRACING_HEADERS
  valueFrom:
    secretKeyRef:
      name: {{ .headers.existingSecret }}
      key: {{ .headers.key }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "oneshot.database.volumeMounts" -}}
{{- if include "oneshot.database.caSecret" . }}
- name: database-ca
  mountPath: /etc/oneshot/database-ca
  readOnly: true
{{- end }}
{{- if .Values.database.tls.clientSecret }}
- name: database-client
  mountPath: /etc/oneshot/database-client
  readOnly: true
{{- end }}
{{- end -}}

{{/* Of (dict "root" $ "clientSecret" the Secret with the certificate of this service's user). */}}
{{- define "oneshot.database.volumes" -}}
{{- with include "oneshot.database.caSecret" .root }}
{{ include "oneshot.caVolume" (dict "name" "database-ca" "secret" . "key" (include "oneshot.database.caKey" $.root)) }}
{{- end }}
{{- if .clientSecret }}
{{ include "oneshot.clientVolume" (dict "name" "database-client" "secret" .clientSecret "tls" .root.Values.database.tls) }}
{{- end }}
{{- end -}}

{{/* One key of a Secret as ca.crt. Other keys, such as the CA's private key, are not mounted. */}}
{{- define "oneshot.caVolume" -}}
- name: {{ .name }}
  secret:
    secretName: {{ .secret }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end -}}

{{/* A client's certificate and key, of a Secret with the keys that "tls" names. */}}
{{- define "oneshot.clientVolume" -}}
- name: {{ .name }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
    items:
      - key: {{ .tls.certificateKey }}
        path: tls.crt
      - key: {{ .tls.privateKeyKey }}
        path: tls.key
{{- end -}}

{{- define "oneshot.addressKeys.secretEnvironment" -}}
- name: ONESHOT_ADDRESS_KEYS
  valueFrom:
    secretKeyRef:
      name: {{ include "oneshot.secret.addressKeys" . }}
      key: {{ .Values.secrets.addressKeys.key }}
{{- end -}}

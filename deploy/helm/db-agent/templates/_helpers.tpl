{{- define "db-agent.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "db-agent.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "db-agent.labels" -}}
{{ include "db-agent.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "db-agent.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "db-agent.secretName" -}}
{{ .Values.existingSecret | default (include "db-agent.name" .) }}
{{- end -}}

{{- define "db-agent.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "db-agent.containerSecurity" -}}
allowPrivilegeEscalation: false
privileged: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* What every pod has: who it runs as, and where it may write. */}}
{{- define "db-agent.podCommon" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
securityContext: {{- include "db-agent.podSecurity" . | nindent 2 }}
volumes:
  - name: data
    emptyDir:
      sizeLimit: {{ .Values.dataSizeLimit }}
  - name: tmp
    emptyDir:
      sizeLimit: {{ .Values.tmpSizeLimit }}
  {{- with .Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{- define "db-agent.mounts" -}}
- name: data
  mountPath: /var/lib/db-agent
- name: tmp
  mountPath: /tmp
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "db-agent.envFrom" -}}
- configMapRef:
    name: {{ include "db-agent.name" . }}
- secretRef:
    name: {{ include "db-agent.secretName" . }}
{{- end -}}

{{/* A change of a setting rolls the pods. An existing Secret is not seen from here. */}}
{{- define "db-agent.checksums" -}}
checksum/settings: {{ toYaml .Values.settings | sha256sum }}
{{- if not .Values.existingSecret }}
checksum/secrets: {{ toYaml .Values.secrets | sha256sum }}
{{- end }}
{{- end -}}

{{/* The image opens this port for measures and health (DB_AGENT_METRICS_PORT). */}}
{{- define "db-agent.metricsPort" -}}
- name: metrics
  containerPort: 9090
{{- end -}}

{{- define "db-agent.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /readyz, port: metrics}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* One argument: a list of the context and the component. */}}
{{- define "db-agent.spread" -}}
{{- $component := index . 1 -}}
{{- with index . 0 -}}
{{- $root := . -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "db-agent.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ $component }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "db-agent.placing" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* "true" where Slack or browsers call us, so that there is a port for them. */}}
{{- define "db-agent.opensHttp" -}}
{{- if or (eq .Values.slack.events "http") .Values.ingress.installPages -}}true{{- end -}}
{{- end -}}

{{- define "db-agent.check" -}}
{{- if not (or .Values.existingSecret .Values.secrets) -}}
{{- fail "Neither existingSecret nor secrets is set: the bot needs Slack's tokens and two databases. docs/operations.md says how to make the Secret." -}}
{{- end -}}
{{- if and .Values.existingSecret .Values.secrets -}}
{{- fail "Both existingSecret and secrets are set: set one of them." -}}
{{- end -}}
{{- if .Values.secrets -}}
{{- $needed := list "DATABASE_URL" "DB_AGENT_STORE_URL" -}}
{{- if eq .Values.slack.events "http" -}}
{{- $needed = append $needed "SLACK_SIGNING_SECRET" -}}
{{- else -}}
{{- $needed = append $needed "SLACK_APP_TOKEN" -}}
{{- end -}}
{{- range $needed -}}
{{- if not (index $.Values.secrets .) -}}
{{- fail (printf "secrets.%s is not set." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.slack.events "socket") (gt (int (mul (add1 .Values.serve.replicas) .Values.serve.sockets)) 10) -}}
{{- fail "Slack allows ten event sockets for one app: (serve.replicas + 1 while a version is rolled out) x serve.sockets is more." -}}
{{- end -}}
{{- end -}}

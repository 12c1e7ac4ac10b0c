-- Counters and histograms are those of the process that does the thing: nothing is counted by the database any more.
DROP TRIGGER call_attempt_ended ON "CallAttempt";
DROP TRIGGER call_attempt_stored_ended ON "CallAttempt";
DROP TRIGGER model_calls_ended ON "ModelCall";
DROP TRIGGER model_calls_stored_ended ON "ModelCall";
DROP TRIGGER analysis_ended ON "Analysis";
DROP TRIGGER create_answered ON "CreateIntent";
DROP TRIGGER instance_transition_noted ON "InstanceTransition";
DROP TRIGGER orphan_removed ON "ReapCandidate";
DROP TRIGGER pool_decided ON "FleetPool";
DROP TRIGGER xids_seen ON "HealthSample";
DROP TRIGGER costs_settled ON "LedgerEntry";
DROP TRIGGER delivery_ended ON "WebhookDelivery";
DROP TRIGGER alert_raised ON "Alert";
DROP FUNCTION note_metric(text, jsonb, numeric);
DROP FUNCTION metric_seconds(timestamp, timestamp);
DROP FUNCTION metric_offer(text);
DROP FUNCTION note_call_attempt();
DROP FUNCTION note_model_calls();
DROP FUNCTION note_analysis();
DROP FUNCTION note_create();
DROP FUNCTION note_transition();
DROP FUNCTION note_orphan();
DROP FUNCTION note_decision();
DROP FUNCTION note_xids();
DROP FUNCTION note_costs();
DROP FUNCTION note_delivery();
DROP FUNCTION note_alert();

-- DropTable
DROP TABLE "MetricEvent";

-- DropTable
DROP TABLE "MetricTotal";

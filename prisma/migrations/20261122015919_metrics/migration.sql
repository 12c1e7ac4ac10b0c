-- DropIndex
DROP INDEX "CallAttempt_analysisId_idx";

-- CreateTable
CREATE TABLE "MetricEvent" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "labels" JSONB NOT NULL,
    "value" DECIMAL(30,9) NOT NULL,

    CONSTRAINT "MetricEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "MetricTotal" (
    "metric" TEXT NOT NULL,
    "labels" TEXT NOT NULL,
    "bucket" TEXT NOT NULL DEFAULT '',
    "value" DECIMAL(30,9) NOT NULL,

    CONSTRAINT "MetricTotal_pkey" PRIMARY KEY ("metric","labels","bucket")
);

-- CreateTable
CREATE TABLE "MetricMark" (
    "name" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "MetricMark_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "Analysis_createdAt_idx" ON "Analysis"("createdAt");

-- CreateIndex
CREATE INDEX "Analysis_finishedAt_idx" ON "Analysis"("finishedAt");

-- CreateIndex
CREATE INDEX "ModelCall_finishedAt_state_cached_idx" ON "ModelCall"("finishedAt", "state", "cached");

-- CreateIndex
CREATE INDEX "FleetInstance_endedAt_idx" ON "FleetInstance"("endedAt");

-- CreateIndex
CREATE INDEX "CreateIntent_createdAt_idx" ON "CreateIntent"("createdAt");

-- CreateIndex
CREATE INDEX "CallAttempt_analysisId_startedAt_idx" ON "CallAttempt"("analysisId", "startedAt");

-- Counters and histograms are counted where things happen: a trigger writes an event in the transaction that writes the thing itself, so that
-- nothing is counted twice or not at all, whoever writes it and whatever is deleted later. api/metrics/totals adds the events up.
CREATE FUNCTION note_metric(kind text, labels jsonb, value numeric) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "MetricEvent" ("kind", "labels", "value") VALUES (kind, jsonb_strip_nulls(labels), coalesce(value, 0));
$$;

-- Seconds between two times; never negative, because clocks are set back.
CREATE FUNCTION metric_seconds(since timestamp, until timestamp) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT greatest(0, extract(epoch FROM until - since))::numeric;
$$;

-- Parts of an offer key (provider/location/type/market).
CREATE FUNCTION metric_offer(offer text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_build_object('provider', split_part(offer, '/', 1), 'location', split_part(offer, '/', 2),
                            'type', split_part(offer, '/', 3), 'market', split_part(offer, '/', 4));
$$;

-- An attempt of a model call has ended. A model counts as loaded by it from half a second on: that much less is the server's own bookkeeping.
CREATE FUNCTION note_call_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gpu text;
  model_before text;
BEGIN
  SELECT CASE WHEN i."provider" = 'static' THEN 'static' ELSE split_part(i."offerKey", '/', 3) END INTO gpu
    FROM "FleetInstance" i WHERE i."name" = NEW."instanceName";
  PERFORM note_metric('call',
    jsonb_build_object('task', NEW."task", 'model', NEW."modelName", 'gpu', coalesce(nullif(gpu, ''), 'unknown'),
                       'outcome', coalesce(NEW."outcome", 'cut'), 'slide', NEW."slideNumber" IS NOT NULL),
    metric_seconds(NEW."startedAt", NEW."endedAt"));
  IF NEW."loadMs" >= 500 THEN
    SELECT a."modelName" INTO model_before FROM "CallAttempt" a
      WHERE a."instanceName" = NEW."instanceName" AND a."startedAt" < NEW."startedAt" ORDER BY a."startedAt" DESC LIMIT 1;
    PERFORM note_metric('model_load',
      jsonb_build_object('model', NEW."modelName", 'gpu', coalesce(nullif(gpu, ''), 'unknown'),
                         'swap', model_before IS NOT NULL AND model_before <> NEW."modelName"),
      NEW."loadMs" / 1000.0);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER call_attempt_ended AFTER UPDATE OF "endedAt" ON "CallAttempt" FOR EACH ROW
  WHEN (OLD."endedAt" IS NULL AND NEW."endedAt" IS NOT NULL) EXECUTE FUNCTION note_call_attempt();
CREATE TRIGGER call_attempt_stored_ended AFTER INSERT ON "CallAttempt" FOR EACH ROW
  WHEN (NEW."endedAt" IS NOT NULL) EXECUTE FUNCTION note_call_attempt();

-- Model calls that came to their end for good, one event per statement and kind of end.
CREATE FUNCTION note_model_calls() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM note_metric('task', jsonb_build_object('task', n."task", 'outcome', n."state", 'cached', n."cached"), count(*))
      FROM written n WHERE n."state" IN ('stored', 'failed') GROUP BY n."task", n."state", n."cached";
  ELSE
    PERFORM note_metric('task', jsonb_build_object('task', n."task", 'outcome', n."state", 'cached', n."cached"), count(*))
      FROM written n JOIN before o ON o."id" = n."id"
      WHERE n."state" IN ('stored', 'failed') AND o."state" <> n."state" GROUP BY n."task", n."state", n."cached";
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER model_calls_ended AFTER UPDATE ON "ModelCall" REFERENCING OLD TABLE AS before NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION note_model_calls();
CREATE TRIGGER model_calls_stored_ended AFTER INSERT ON "ModelCall" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION note_model_calls();

-- An analysis has ended: how long it took, and how long it waited for its first call, if it made one.
CREATE FUNCTION note_analysis() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  labels jsonb := jsonb_build_object('task_type', coalesce(NEW."taskType", 'full_review'), 'outcome', NEW."status");
  first_call timestamp;
BEGIN
  SELECT min(a."startedAt") INTO first_call FROM "CallAttempt" a WHERE a."analysisId" = NEW."id";
  PERFORM note_metric('analysis', labels, metric_seconds(NEW."createdAt", coalesce(NEW."finishedAt", now() AT TIME ZONE 'UTC')));
  IF first_call IS NOT NULL THEN
    PERFORM note_metric('analysis_wait', labels - 'outcome', metric_seconds(NEW."createdAt", first_call));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER analysis_ended AFTER UPDATE OF "status" ON "Analysis" FOR EACH ROW
  WHEN (OLD."status" IN ('queued', 'running') AND NEW."status" NOT IN ('queued', 'running')) EXECUTE FUNCTION note_analysis();

-- A create that was sent has an answer, or is known to have none.
CREATE FUNCTION note_create() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_metric('create', jsonb_build_object('offer', NEW."offerKey", 'class', coalesce(NEW."errorClass", NEW."state"::text)), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER create_answered AFTER UPDATE OF "state" ON "CreateIntent" FOR EACH ROW
  WHEN (OLD."state" = 'creating' AND NEW."state" <> 'creating') EXECUTE FUNCTION note_create();

-- How long machines take until they serve, what became of those that do not, and which way wakes went.
CREATE FUNCTION note_transition() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  start record;
  ordered record;
  way text;
BEGIN
  IF (NEW."toPhase" = 'ready' AND NEW."fromPhase" IN ('creating', 'waking', 'booting'))
     OR (NEW."fromPhase" = 'booting' AND NEW."toPhase" <> 'booting') THEN
    -- The last order; a machine that was ready since then is only being repaired.
    SELECT t."at", t."toPhase", t."offerKey" INTO start FROM "InstanceTransition" t
      WHERE t."instanceName" = NEW."instanceName" AND t."position" < NEW."position" AND t."toPhase" IN ('creating', 'waking', 'ready')
      ORDER BY t."position" DESC LIMIT 1;
    IF start."toPhase" IN ('creating', 'waking') THEN
      PERFORM note_metric('provision',
        metric_offer(coalesce(start."offerKey", NEW."offerKey", '///')) || jsonb_build_object('outcome',
          CASE WHEN NEW."toPhase" = 'ready' THEN 'ready'
               WHEN NEW."toPhase" IN ('creating', 'waking', 'planned') THEN 'failed'
               ELSE 'ended' END),
        metric_seconds(start."at", NEW."at"));
    END IF;
  END IF;
  IF NEW."fromPhase" = 'waking' AND NEW."toPhase" <> 'waking' THEN
    SELECT c."fromVolumeId", c."createdAt" >= coalesce((
        SELECT max(t."at") FROM "InstanceTransition" t
        WHERE t."instanceName" = NEW."instanceName" AND t."position" < NEW."position"
          AND t."toPhase" = 'waking' AND t."fromPhase" <> 'waking'), NEW."at") AS anew INTO ordered
      FROM "FleetInstance" i JOIN "CreateIntent" c ON c."id" = i."name" || '/' || i."attempts"
      WHERE i."name" = NEW."instanceName";
    way := CASE WHEN NEW."toPhase" NOT IN ('booting', 'ready') THEN 'given_up'
                WHEN ordered.anew IS NOT TRUE THEN 'started'
                WHEN ordered."fromVolumeId" IS NOT NULL THEN 'kept_disk'
                ELSE 'fresh' END;
    PERFORM note_metric('wake', jsonb_build_object('step', way), 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER instance_transition_noted AFTER INSERT ON "InstanceTransition" FOR EACH ROW EXECUTE FUNCTION note_transition();

-- Something without an owner was removed.
CREATE FUNCTION note_orphan() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_metric('orphan', jsonb_build_object('kind', NEW."kind"), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER orphan_removed AFTER UPDATE OF "reapedAt" ON "ReapCandidate" FOR EACH ROW
  WHEN (OLD."reapedAt" IS NULL AND NEW."reapedAt" IS NOT NULL) EXECUTE FUNCTION note_orphan();

-- A pool has decided on another size, or a budget has begun to keep it from buying.
CREATE FUNCTION note_decision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."target" <> OLD."target" THEN
    PERFORM note_metric('decision',
      jsonb_build_object('pool', NEW."name", 'reason', CASE WHEN NEW."target" > OLD."target" THEN 'raised' ELSE 'lowered' END), 1);
  END IF;
  IF OLD."budgetMessage" IS NULL AND NEW."budgetMessage" IS NOT NULL THEN
    PERFORM note_metric('decision', jsonb_build_object('pool', NEW."name", 'reason', 'held_by_budget'), 1);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER pool_decided AFTER UPDATE OF "target", "budgetMessage" ON "FleetPool" FOR EACH ROW EXECUTE FUNCTION note_decision();

-- XIDs that the sample before did not name: a sample names all since the machine booted.
CREATE FUNCTION note_xids() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  known integer[];
BEGIN
  SELECT s."xids" INTO known FROM "HealthSample" s
    WHERE s."instanceName" = NEW."instanceName" AND s."gpuIndex" = NEW."gpuIndex" AND s."at" < NEW."at" AND NOT s."missing"
    ORDER BY s."at" DESC LIMIT 1;
  PERFORM note_metric('xid', jsonb_build_object('xid', x::text), 1)
    FROM unnest(NEW."xids") AS x WHERE x <> ALL (coalesce(known, '{}'));
  RETURN NULL;
END $$;
CREATE TRIGGER xids_seen AFTER INSERT ON "HealthSample" FOR EACH ROW
  WHEN (cardinality(NEW."xids") > 0) EXECUTE FUNCTION note_xids();

-- Costs that were settled, one event per statement, kind and task.
CREATE FUNCTION note_costs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_metric('cost', jsonb_build_object('kind', n."kind", 'task', n."task"), sum(n."amountUsd"))
    FROM written n GROUP BY n."kind", n."task";
  RETURN NULL;
END $$;
CREATE TRIGGER costs_settled AFTER INSERT ON "LedgerEntry" REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION note_costs();

-- A delivery was taken, or given up.
CREATE FUNCTION note_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_metric('delivery', jsonb_build_object('event', NEW."event", 'outcome', NEW."state"), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER delivery_ended AFTER UPDATE OF "state" ON "WebhookDelivery" FOR EACH ROW
  WHEN (OLD."state" = 'pending' AND NEW."state" <> 'pending') EXECUTE FUNCTION note_delivery();

-- An alert was raised.
CREATE FUNCTION note_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_metric('alert', jsonb_build_object('rule', NEW."ruleId", 'severity', NEW."severity"), 1);
  RETURN NULL;
END $$;
CREATE TRIGGER alert_raised AFTER INSERT ON "Alert" FOR EACH ROW EXECUTE FUNCTION note_alert();

import * as cloudnativepg from "@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster";
import * as scaling from "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject";
import * as authentication from "@kubernetes-models/keda/keda.sh/v1alpha1/TriggerAuthentication";

// objects.ts has a call of one of these functions in each line. The compiler rejects unknown fields, and validate() wrong values.

export function Cluster(line: number, object: cloudnativepg.ICluster) {
  report(line, new cloudnativepg.Cluster(object));
}

export function ScaledObject(line: number, object: scaling.IScaledObject) {
  report(line, new scaling.ScaledObject(object));
}

export function TriggerAuthentication(line: number, object: authentication.ITriggerAuthentication) {
  report(line, new authentication.TriggerAuthentication(object));
}

/** Writes what is wrong as the compiler does. */
function report(line: number, object: { validate(): void }) {
  try {
    object.validate();
  } catch (error) {
    console.log(`objects.ts(${line},1): ${error}`);
  }
}

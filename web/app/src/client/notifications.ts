import { language } from "../i18n";
import { refusal } from "../refusal";
import type { NewSubscription, NotificationSettings, Notifications } from "../wire";
import { ask } from "./api";

export const load = (signal?: AbortSignal) => ask<Notifications>("/me/notifications", { seated: true, signal });
export const change = (settings: NotificationSettings) =>
  ask<void>("/me/notifications", { method: "PUT", body: settings, seated: true });
export const stopMails = (secret: string) =>
  ask<void>(`/mail/stop?secret=${encodeURIComponent(secret)}`, { method: "POST" });

/** Whether this browser can show notifications while no page is open. */
export const pushWorks = () => "PushManager" in window && "Notification" in window && "serviceWorker" in navigator;

async function manager(): Promise<PushManager> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) throw refusal("no_push");
  return registration.pushManager;
}

/**
 * Asks for permission, which browsers grant only after a tap, and lets the server notify this browser.
 *
 * @throws Refusal if the person or the browser does not want it.
 */
export async function subscribe(key: string): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") throw refusal("push_blocked");
  const push = await manager();
  // A subscription is bound to the key of the server that it was made for.
  await (await push.getSubscription())?.unsubscribe();
  const made = await push.subscribe({ userVisibleOnly: true, applicationServerKey: key }).catch(() => {
    throw refusal("no_push");
  });
  const { endpoint, keys } = made.toJSON();
  const body = { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, language: language.value } as NewSubscription;
  await ask<void>("/me/push", { method: "PUT", body, seated: true });
}

export async function unsubscribe(): Promise<void> {
  await ask<void>("/me/push", { method: "DELETE", seated: true });
  await (await (await manager()).getSubscription())?.unsubscribe();
}

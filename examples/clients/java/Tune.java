// Tunes a made-up timeout by a service, 50 plays: Tune [URL [TOKEN]]
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.PlaysApi;
import org.openapitools.client.api.StudiesApi;
import org.openapitools.client.model.AskBody;
import org.openapitools.client.model.CreateStudyBody;
import org.openapitools.client.model.Play;
import org.openapitools.client.model.Space;
import org.openapitools.client.model.SpaceParameters;
import org.openapitools.client.model.Tell;
import org.openapitools.client.model.TellBody;

public class Tune {
  interface Call<T> {
    T make() throws ApiException;
  }

  /** Makes a call until it is answered, for ten seconds. All calls below may be made twice. */
  static <T> T again(Call<T> call) throws ApiException, InterruptedException {
    long end = System.nanoTime() + 10_000_000_000L;
    for (long pause = 20;; pause = 2 * pause) {
      try {
        return call.make();
      } catch (ApiException error) {
        int status = error.getCode();  // 0 if there was no answer
        boolean notNow = status == 0 || status == 503 || status == 429;
        if (!notNow || System.nanoTime() > end) throw error;
      }
      Thread.sleep(pause);
    }
  }

  public static void main(String[] args) throws Exception {
    try {
      tune(args);
    } catch (ApiException error) {
      String body = error.getResponseBody();  // it says what to do; null if there was no answer
      System.err.println(body == null ? error.getMessage() : body);
      System.exit(1);
    }
  }

  static void tune(String[] args) throws Exception {
    URI url = URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:8600");
    ApiClient client = new ApiClient();
    client.setScheme(url.getScheme()).setHost(url.getHost()).setPort(url.getPort());
    client.setReadTimeout(Duration.ofSeconds(60));
    if (args.length > 1) {
      client.setRequestInterceptor(call -> call.header("Authorization", "Bearer " + args[1]));
    }
    StudiesApi studies = new StudiesApi(client);
    PlaysApi plays = new PlaysApi(client);

    SpaceParameters timeout = new SpaceParameters().name("timeout")
        .type(SpaceParameters.TypeEnum.NUMBER).from(5.0).to(500.0);
    CreateStudyBody description = new CreateStudyBody().name("cache-java")
        .space(new Space().addParametersItem(timeout)).start(Map.of("timeout", 50));
    again(() -> studies.createStudy(description));

    AskBody worker = new AskBody().worker("w1");  // it gets its play again if an answer was lost
    for (int round = 0; round < 50; ++round) {
      Play play = again(() -> plays.ask("cache-java", worker)).getPlays().get(0);
      double value = ((Number) play.getValues().get("timeout")).doubleValue();
      double loss = Math.pow(value / 100 - 2, 2);  // run it, and measure
      Tell tell = new Tell().play(play.getPlay()).loss(loss);
      again(() -> plays.tell("cache-java", new TellBody().tells(List.of(tell))));
    }
    System.out.println(again(() -> plays.recommend("cache-java", null)).getValues());
  }
}
